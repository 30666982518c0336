import assert from 'node:assert/strict';
import { openBySso, SIGN_ON_SECONDS } from '@gatehouse/accounts';
import { newAccount, openTestAccounts, someEmail, untilWaiting } from '@gatehouse/accounts/testing';
import { inTransaction, query, ssoIdentities } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { SsoRules } from '../attempt/sso-rules.ts';
import { admitBySso, loginBySso } from '../attempt/sign-on.ts';
import { logoutByProvider } from './backchannel-logout.ts';

const RULES: SsoRules = {
  ...{ id: 'demo', trustEmail: true, trustSecondFactor: false, allowedDomains: [], follow: [] },
  provisioning: 'jit',
};
const ISSUER = 'https://login.example.com';

describe('a logout by the provider', () => {
  const app = during(() => openTestAccounts({ SINGLE_SESSION: false }));

  const origin = () => ({ traceId: newId().replaceAll('-', ''), dueAt: Infinity });
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  /** The number of sessions that end. */
  const logOut = async (
    { subject, sid }: { subject?: string | undefined; sid?: string | undefined },
    { provider = RULES.id, issuer = ISSUER } = {},
  ) => {
    const logout = { provider, issuer, subject, sid, id: newId(), isOldAtSeconds: nowSeconds() + 600 };
    const outcome = await logoutByProvider(app, logout, origin());
    return outcome.kind === 'done' ? outcome.sessions : outcome.kind;
  };

  describe('during a sign-on', () => {
    const signOn = async (subject: string, sid: string | undefined, beforeCommit?: () => Promise<void>) => {
      // The sign-on began ten seconds ago.
      const expiresAtSeconds = nowSeconds() + SIGN_ON_SECONDS - 10;
      const named = { email: someEmail(), isEmailVerified: true, displayName: undefined };
      const person = { issuer: ISSUER, subject, sid, ...named, expiresAtSeconds };
      if (beforeCommit === undefined) return loginBySso(app, RULES, person, origin());
      const admitted = await admitBySso(app, RULES, person, origin());
      if (admitted.kind === 'refused') return admitted;
      const use = () => beforeCommit().then(() => true);
      return openBySso(app, RULES, person, admitted.account, origin(), use);
    };
    const activeOf = async (subject: string): Promise<number> => {
      const statement = `select s.id from user_session s join sso_identity i on i.account_id = s.account_id
       where i.subject = ? and s.ended_at is null`;
      return (await query(app.db, statement, [subject])).length;
    };
    const pause = () => {
      let resolve: () => void = () => undefined;
      const promise = new Promise<void>((settle) => (resolve = settle));
      return { promise, resolve };
    };

    const CASES: [what: string, signedOn: { sid?: true }, loggedOut: { subject?: true; sid?: true }][] = [
      ['its session, by sid alone', { sid: true }, { sid: true }],
      ['its session', { sid: true }, { subject: true, sid: true }],
      ['a session of the person, whose sign-on has no sid', {}, { subject: true, sid: true }],
      ['the person', { sid: true }, { subject: true }],
    ];
    for (const [what, signedOn, loggedOut] of CASES) {
      it(`ends a session that is about to be committed: ${what}`, async () => {
        const [subject, sid] = [newId(), newId()];
        const [opened, go] = [pause(), pause()];
        const signingOn = signOn(subject, signedOn.sid && sid, async () => {
          opened.resolve();
          await go.promise;
        });
        await opened.promise;
        const loggingOut = logOut({ subject: loggedOut.subject && subject, sid: loggedOut.sid && sid });
        await Promise.race([loggingOut, untilWaiting(app.db)]);
        go.resolve();
        const [login, logout] = await Promise.all([signingOn, loggingOut]);
        assert.deepEqual([login.kind, logout], ['opened', 1]);
        assert.equal(await activeOf(subject), 0);
      });

      it(`opens no session while it is about to be committed: ${what}`, async () => {
        const [subject, sid] = [newId(), newId()];
        // Another session that the logout ends; its lock makes the logout wait.
        const first = loggedOut.subject ? subject : newId();
        const held = await signOn(first, loggedOut.sid && sid);
        assert.ok(held.kind === 'opened');
        const [locked, go] = [pause(), pause()];
        const holding = inTransaction(app.db, NO_DEADLINE, async (tx) => {
          await query(tx, 'select 1 from user_session where id = ? for update', [held.sessionId]);
          locked.resolve();
          await go.promise;
        });
        await locked.promise;
        const loggingOut = logOut({ subject: loggedOut.subject && subject, sid: loggedOut.sid && sid });
        await Promise.race([loggingOut, untilWaiting(app.db)]);
        const signingOn = signOn(subject, signedOn.sid && sid);
        await Promise.race([signingOn, untilWaiting(app.db, 2)]);
        go.resolve();
        const [login] = await Promise.all([signingOn, loggingOut, holding]);
        assert.deepEqual(login, { kind: 'refused', reason: 'invalid_attempt', accountId: undefined });
        assert.equal(await activeOf(subject), 0);
      });
    }

    it('does not hold up sign-ons of other sessions and people', async () => {
      const [opened, go] = [pause(), pause()];
      const signingOn = signOn(newId(), newId(), async () => {
        opened.resolve();
        await go.promise;
      });
      await opened.promise;
      assert.equal((await signOn(newId(), newId())).kind, 'opened');
      assert.equal(await logOut({ sid: newId() }), 0);
      go.resolve();
      assert.equal((await signingOn).kind, 'opened');
    });
  });

  describe('after its identity was unlinked', () => {
    const newOwner = async () => (await newAccount(app)).id;
    const link = (accountId: string, subject: string) =>
      inTransaction(app.db, NO_DEADLINE, (tx) =>
        ssoIdentities.insert(tx, { issuer: ISSUER, subject, provider: 'demo', accountId }),
      );
    const signOn = async (subject: string, { sid }: { sid?: string } = {}) => {
      const rules: SsoRules = { ...RULES, trustEmail: false, provisioning: 'off' };
      const email = { email: undefined, isEmailVerified: false };
      const authenticatedAtSeconds = Date.now() / 1000;
      const named = { issuer: ISSUER, subject, sid, displayName: undefined };
      const person = { ...named, ...email, authenticatedAtSeconds };
      const login = await loginBySso(app, rules, person, origin());
      assert.ok(login.kind === 'opened');
      return login.sessionId;
    };
    const unlink = (accountId: string) =>
      inTransaction(app.db, NO_DEADLINE, async (tx) => {
        const [identity] = await ssoIdentities.findOfAccount(tx, accountId);
        assert.ok(identity && (await ssoIdentities.remove(tx, accountId, identity.number)));
      });
    /** Links an identity, signs on with it and unlinks it; the session is kept, as its owner unlinked it there. */
    const kept = async (accountId: string, subject: string, how: { sid?: string } = {}) => {
      assert.ok(await link(accountId, subject));
      const sessionId = await signOn(subject, how);
      await unlink(accountId);
      return sessionId;
    };
    const isActive = async (sessionId: string): Promise<boolean> => {
      const sql = 'select 1 from user_session where id = ? and ended_at is null';
      return (await query(app.db, sql, [sessionId])).length === 1;
    };

    it('ends the session that its owner kept', async () => {
      const subject = newId();
      const session = await kept(await newOwner(), subject);
      assert.ok(await isActive(session));
      assert.equal(await logOut({ subject }), 1);
      assert.ok(!(await isActive(session)));
    });

    it('ends it by subject and sid, but not with the sid of another session', async () => {
      const [subject, sid] = [newId(), newId()];
      const session = await kept(await newOwner(), subject, { sid });
      assert.equal(await logOut({ subject, sid: newId() }), 0);
      assert.equal(await logOut({ subject: newId(), sid }), 0);
      assert.ok(await isActive(session));
      assert.equal(await logOut({ subject, sid }), 1);
      assert.ok(!(await isActive(session)));
    });

    it('ends the sessions of both accounts if the identity was then linked to another one', async () => {
      const subject = newId();
      const session = await kept(await newOwner(), subject);
      const next = await newOwner();
      assert.ok(await link(next, subject));
      const later = await signOn(subject);
      assert.equal(await logOut({ subject }), 2);
      assert.deepEqual([await isActive(session), await isActive(later)], [false, false]);
    });

    it('does not end it for the person whose identity replaced that one in the account', async () => {
      const [first, second, owner] = [newId(), newId(), await newOwner()];
      const session = await kept(owner, first);
      assert.ok(await link(owner, second));
      const later = await signOn(second);
      assert.equal(await logOut({ subject: second }), 1);
      assert.deepEqual([await isActive(session), await isActive(later)], [true, false]);
    });

    it('does not end it for the same subject of another issuer, or by another provider', async () => {
      const subject = newId();
      const session = await kept(await newOwner(), subject);
      assert.equal(await logOut({ subject }, { issuer: 'https://other.example.com' }), 0);
      assert.equal(await logOut({ subject }, { provider: 'other' }), 0);
      assert.ok(await isActive(session));
    });
  });
});
