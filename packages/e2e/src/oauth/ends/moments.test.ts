import assert from 'node:assert/strict';
import {
  query,
  type Transaction,
  BY_PASSWORD,
  identityLinks,
  inTransaction,
  sessionTakeOvers,
  sessionCodes,
  signOnCodes,
  twoFactorChallenges,
} from '@gatehouse/db';
import { during, eventually } from '@gatehouse/runtime/testing';
import { sourcesIn } from '../../documents/documents.ts';
import { prepare, startInstallation, WAYS, type Installation, type Who } from './ways.ts';
import { randomBytes } from 'node:crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';

type Client = Awaited<ReturnType<Installation['newClient']>>;

/** Operations by their path here; those of a service by their path from the root. */
const SOURCES = ['packages/accounts', 'services/core', 'services/portal', 'services/admin'];

/** Callers that are not tried here: they do what those do that are, with the same target. */
const ALIKE: Record<string, string> = {
  'services/admin/src/erasure/erase-due.ts': 'accounts that are erased',
  'guest/accept-invitation.ts': 'the account, which is complete then',
  'guest/access.ts': 'accounts, as a ban',
  'guest/remail.ts': 'the account, which begins again',
  'session/refresh/refresh.ts': 'the account, or one session, of which a token was copied',
  'services/core/src/account/email.ts': 'the account, whose email is taken back',
  'services/core/src/oauth/token.ts': 'those that a sign-in with the same tag replaces',
  'services/core/src/two-factor/two-factor.ts': 'other sessions of the account, as a factor is set up',
  'session/write.ts': 'it passes on what operations end',
  'services/admin/src/session/set-status.ts': 'those that another session replaces',
  'services/admin/src/passkey/passkey.ts': 'the account, and its sessions of a passkey',
  'services/admin/src/sso/identity/identity.ts': 'sessions of an account',
  'services/admin/src/two-factor/delete-two-factor.ts': 'the account, by an administrator',
  'two-factor/two-factor-login.ts': 'the account, as a factor is set up',
};

describe('at the end of a session', () => {
  const at = during(() => startInstallation());

  describe('the exchange of a code at the moment', () => {
    const count = (sql: string, bindings: string[] = []) => query.count(at.app.db, sql, bindings);
    const waiting = () =>
      count(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

    /** Runs `first`, then `second`, each until it waits for a lock or is done, while the test holds a row. */
    const inOrder = async <A, B>(
      held: { sql: string; id: string },
      first: () => Promise<A>,
      second: () => Promise<B>,
    ): Promise<[A, B]> => {
      const holder: Transaction = (await at.app.db.transaction()) as Transaction;
      let done = 0;
      const begin = async <T>(work: () => Promise<T>, stopped: number): Promise<{ result: Promise<T> }> => {
        const result = work().finally(() => (done += 1));
        result.catch(() => {});
        await eventually(async () => done + (await waiting()) >= stopped);
        return { result };
      };
      try {
        assert.ok(await query.any(holder, `${held.sql} for update`, [held.id]));
        const one = await begin(first, 1);
        const two = await begin(second, 2);
        await holder.rollback();
        return [await one.result, await two.result];
      } catch (error) {
        if (!holder.isCompleted()) await holder.rollback();
        throw error;
      }
    };

    const arrange = async (way: string) => {
      const { client: fields, asked = {} } = WAYS[way] ?? assert.fail();
      const { client, who } = await at.letIn(fields);
      const exchange = async () => at.token(client, await at.newCode(client, who, asked));
      return { client, who, asked, exchange };
    };
    type Answer = Awaited<ReturnType<Installation['token']>>;

    /** Nothing that was exchanged works, nothing is left that could work again, and the application was told. */
    const assertOver = async (who: Who, client: Client, answers: Answer[], isDeleted: boolean) => {
      for (const { status, body } of answers) {
        if (status !== 200) {
          assert.ok(status === 400 || (isDeleted && status === 401), `${status} ${JSON.stringify(body)}`);
          continue;
        }
        const token = at.bearer(body.access_token);
        await eventually(async () => (await at.http.get('/oauth/userinfo').set(token)).status === 401);
        assert.notEqual((await at.refresh(client, body.refresh_token)).status, 200);
      }
      const own = [who.sessionId, client.id];
      const left = await count('select 1 from client_session where session_id = ? and client_id = ?', own);
      assert.equal(left, 0);
      const wasIn = answers.some(({ status }) => status === 200);
      const told = await count('select 1 from hook_delivery where session_id = ? and client_id = ?', own);
      assert.equal(told > 0, wasIn && !isDeleted, `told ${told} times`);
    };

    for (const [way, { end }] of Object.entries(WAYS)) {
      const isDeleted = way === 'the deletion of the application';

      it(`that comes before ${way} ends with it`, async () => {
        const { who, client, asked } = await arrange(way);
        const code = await at.newCode(client, who, asked);
        await prepare(at, who, way);
        const [answer] = await inOrder(
          { sql: 'select 1 from oauth_code where session_id = ?', id: who.sessionId },
          () => at.token(client, code),
          () => end(at, who, client),
        );
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        // A sweep does not wait, and comes again.
        if (way === 'its age') await end(at, who, client);
        await assertOver(who, client, [answer], isDeleted);
      });

      it(`that comes after ${way} gets nothing that lives`, async () => {
        const { who, client, asked, exchange } = await arrange(way);
        const earlier = await exchange();
        assert.equal(earlier.status, 200, JSON.stringify(earlier.body));
        const code = await at.newCode(client, who, asked);
        await prepare(at, who, way);
        const [, answer] = await inOrder(
          { sql: 'select 1 from client_session where session_id = ?', id: who.sessionId },
          () => end(at, who, client),
          () => at.token(client, code),
        );
        if (isDeleted) assert.equal(answer.body.error, 'invalid_client');
        await assertOver(who, client, [earlier, answer], isDeleted);
      });
    }
  });

  describe('what was begun', () => {
    /** Logins of the account that were begun, and what was begun in its session: each name with whether it works. */
    const begin = async ({ accountId, sessionId }: Who) => {
      const hash = () => randomBytes(32);
      const [challenge, takeOver, signOn] = [hash(), hash(), hash()];
      const [handover, console, confirmation, link] = [hash(), hash(), hash(), hash()];
      const { db } = at.app;
      const sql = 'select password_version as version from account where id = ?';
      const passwordVersion = await query.onlyValue<number>(db, sql, [accountId]);
      const login = { accountId, passwordVersion, deviceName: undefined, lifetimeSeconds: 600 };
      const none = { sid: undefined, authenticatedAtSeconds: undefined, codeChallenge: undefined };
      const inSession = { accountId, sessionId, lifetimeSeconds: 60, endsAt: undefined };
      await inTransaction(db, NO_DEADLINE, async (tx) => {
        await twoFactorChallenges.insert(tx, {
          ...{ ...login, tokenHash: challenge, firstFactor: 'password', tries: 5 },
          ...{ secretSealed: undefined, sessionTag: undefined },
        });
        const proof = { tag: '', authentication: BY_PASSWORD };
        await sessionTakeOvers.insert(tx, { ...login, ...proof, tokenHash: takeOver });
        await signOnCodes.insert(tx, {
          ...{ ...none, accountId, codeHash: signOn, lifetimeSeconds: 600, address: undefined },
          ...{ purpose: 'pages', provider: 'corporate', userAgent: undefined, sessionTag: undefined },
          ...{ issuer: 'https://idp.example', subject: accountId, trustsSecondFactor: true },
          attemptExpiresAtSeconds: Date.now() / 1000 + 600,
        });
        const { insertForConsole, insertForPages } = sessionCodes;
        await insertForPages(tx, { ...inSession, ...none, codeHash: handover });
        await insertForConsole(tx, { ...inSession, codeHash: console, purpose: 'hand-over' });
        const anywhere = { ...inSession, sessionId: undefined, purpose: 'confirmation' } as const;
        await insertForConsole(tx, { ...anywhere, codeHash: confirmation });
        await identityLinks.insert(tx, { ...inSession, ticketHash: link, provider: 'corporate' });
      });
      return {
        logins: async () => ({
          challenge: (await twoFactorChallenges.find(db, challenge)) !== undefined,
          takeOver: (await sessionTakeOvers.find(db, takeOver)) !== undefined,
          signOn: (await signOnCodes.find(db, signOn, 'pages'))?.isValid === true,
        }),
        confirms: () => query.any(db, 'select 1 from console_code where code_hash = ?', [confirmation]),
        inSession: async () => ({
          handover: (await sessionCodes.findForPages(db, handover)) !== undefined,
          console: (await sessionCodes.findForConsole(db, console, 'hand-over')) !== undefined,
          link: await query.any(db, 'select 1 from identity_link where ticket_hash = ?', [link]),
        }),
      };
    };
    const all = (states: object, is: boolean) =>
      Object.fromEntries(Object.keys(states).map((name) => [name, is]));

    for (const [name, { by, end }] of Object.entries(WAYS)) {
      if (by === 'client') continue;
      it(`before ${name} ends a session works no more${by === 'nobody' ? ', but for logins' : ''}`, async () => {
        const client = await at.newClient();
        const who = await at.signIn();
        const { logins, inSession, confirms } = await begin(who);
        await prepare(at, who, name);
        assert.deepEqual(await inSession(), all(await inSession(), true));
        assert.deepEqual(await logins(), all(await logins(), true));
        await end(at, who, client);
        assert.deepEqual(await inSession(), all(await inSession(), false));
        assert.deepEqual(await logins(), all(await logins(), by === 'nobody'));
        assert.equal(await confirms(), by === 'nobody');
      });
    }

    it('is invalid if an administrator ends the sessions of an account that has none', async () => {
      const who = await at.signIn();
      await WAYS['a logout']?.end(at, who, await at.newClient());
      const { logins } = await begin(who);
      await WAYS['an administrator, by its account']?.end(at, who, await at.newClient());
      assert.deepEqual(await logins(), all(await logins(), false));
    });

    it('is tried with every operation that ends sessions, or it is said why not', () => {
      const ends = /(?<!function )(?:endSessions|endStates|setStatus|userSessions\.endLapsed)\(/;
      const callers = SOURCES.flatMap((folder) => sourcesIn(`${folder}/src`))
        .filter(({ text }) => ends.test(text))
        .map(({ path }) => path.replace('packages/accounts/src/', ''));
      const tried = Object.values(WAYS).flatMap(({ caller }) => caller ?? []);
      assert.deepEqual(callers.toSorted(), [...new Set([...tried, ...Object.keys(ALIKE)])].toSorted());
    });
  });
});
