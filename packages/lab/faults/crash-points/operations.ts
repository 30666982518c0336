import assert from 'node:assert/strict';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { query, type ApiName } from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import {
  activeSessions,
  endsWith,
  findAccount,
  grant,
  isRefused,
  logIn,
  newAccount,
  newChannel,
  PROMISED_SECONDS,
  tryLogin,
  waitUntilRefused,
  type AccountRef,
  type End,
} from './accounts.ts';
import { tokensIn, type Outcome } from '../../one-call.ts';
import { codeIn, mailTo, secretIn } from '../mails.ts';
import { ask, type World } from './world.ts';

/** An operation that a service performs for a client in several steps. It may die between them. */
export interface Operation {
  name: string;
  service: ApiName;
  path: string;
  prepare(world: World): Promise<Try>;
}

/** What one try sends. */
export interface Try {
  body: object;
  token?: string;
  /**
   * Checks what is left and continues as the client would; `again` asks a running service for the same. Returns checks
   * for when the mails are sent.
   */
  check(end: End & { again: () => Promise<Outcome | undefined> }): Promise<(() => Promise<void>) | void>;
}

const OTHER = 'quite another password';

/** How an account stands that nobody wants to be erased, and one that is closed. */
const OPEN = { isDisabled: false, pending: 0, active: 1, requested: 0 };
const CLOSED = { isDisabled: true, pending: 1, active: 0, requested: 1 };

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'a registration',
    service: 'core',
    path: '/account/register',
    prepare: async (world) => {
      const email = someEmail();
      return {
        body: { Email: email, Password: PASSWORD },
        check: async (end) => {
          // Who is there already must have been mailed by what was committed then, without another request.
          if (!(await isAddedWith(world, email, end))) assert.equal((await end.again())?.status, 200);
          return async () => {
            const body = { Email: email, Code: codeIn(await mailTo(world, email)) };
            const verified = await ask(world.core, '/account/verify', { body });
            assert.equal(verified?.status, 200, `the code in the mail: ${JSON.stringify(verified?.body)}`);
            await logIn(world, { email });
          };
        },
      };
    },
  },
  {
    name: 'the reset of a password',
    service: 'core',
    path: '/account/reset-password',
    prepare: async (world) => {
      const account = await newAccount(world);
      const { Token: older } = await logIn(world, account);
      await ask(world.core, '/account/forgot-password', { body: { Email: account.email } });
      const given = { Email: account.email, Code: codeIn(await mailTo(world, account.email)) };
      const reset = (Password: string) =>
        ask(world.core, '/account/reset-password', { body: { ...given, Password } });
      return {
        body: { ...given, Password: OTHER },
        check: async ({ answer, isCommitted }) => {
          if (answer !== undefined) await waitUntilRefused(world, older, PROMISED_SECONDS);
          const others = [`${OTHER} 2`, `${OTHER} 3`];
          const again = await Promise.all(others.map(reset));
          const taken = again.flatMap((one, index) => (one?.status === 200 ? [others[index]] : []));
          assert.equal(taken.length, isCommitted ? 0 : 1, 'a code is used once');
          await waitUntilRefused(world, older, isCommitted ? undefined : PROMISED_SECONDS);
          assert.equal((await tryLogin(world, account))?.status, 404, 'the older password');
          tokensIn(await tryLogin(world, account, taken[0] ?? OTHER));
          assert.equal(await activeSessions(world, account), 1);
          return async () => void (await mailTo(world, account.email, 2));
        },
      };
    },
  },
  {
    name: 'a login',
    service: 'core',
    path: '/account/login',
    prepare: async (world) => {
      const account = await newAccount(world);
      const older = await logIn(world, account);
      return {
        body: { Username: account.email, Password: PASSWORD },
        check: async (end) => {
          assert.equal(await activeSessions(world, account), 1);
          await endsWith(world, older.Token, end);
          if (end.answer !== undefined)
            assert.equal(await isRefused(world, tokensIn(end.answer).Token), false);
          const { Token } = tokensIn(await end.again());
          await waitUntilRefused(world, older.Token, PROMISED_SECONDS);
          assert.equal(await isRefused(world, Token), false);
          assert.equal(await activeSessions(world, account), 1);
        },
      };
    },
  },
  {
    name: 'a refresh that adopts the new token',
    service: 'core',
    path: '/account/refresh-token',
    prepare: async (world) => {
      const account = await newAccount(world);
      const { RefreshToken: first } = await logIn(world, account);
      const use = async (RefreshToken: string) =>
        tokensIn(await ask(world.core, '/account/refresh-token', { body: { RefreshToken } }));
      const { RefreshToken: adopted } = await use(first);
      return {
        body: { RefreshToken: adopted },
        check: async ({ answer }) => {
          const again = await Promise.all([use(adopted), use(adopted)]);
          const known = answer === undefined ? again : [...again, tokensIn(answer)];
          assert.equal(new Set(known.map(({ RefreshToken }) => RefreshToken)).size, 1, 'one successor');
          assert.equal((await use(first)).RefreshToken, adopted, 'a slower tab');
          const next = await use(again[0].RefreshToken);
          for (const { Token } of [...known, next]) assert.equal(await isRefused(world, Token), false);
          assert.equal(await activeSessions(world, account), 1);
        },
      };
    },
  },
  {
    name: "an administrator's change of a user's sessions",
    service: 'admin',
    path: '/admin/user-session',
    prepare: async (world) => {
      const { Token: token } = await logIn(world, await newAccount(world, 'Admin'));
      const account = await newAccount(world);
      const { Token: hers } = await logIn(world, account);
      return {
        body: { UserId: account.id, Status: SessionStatus.Deactivated },
        token,
        check: async (end) => {
          await endsWith(world, hers, end);
          const again = await end.again();
          assert.deepEqual([again?.status, again?.body['Count']], [200, end.isCommitted ? 0 : 1]);
          await waitUntilRefused(world, hers, PROMISED_SECONDS);
        },
      };
    },
  },
  {
    name: 'an invitation',
    service: 'portal',
    path: '/account/invite-user',
    prepare: async (world) => {
      const channel = await newChannel(world);
      const email = someEmail();
      return {
        body: { Emails: [email], ContentDefinitionId: channel.id },
        token: channel.ownerToken,
        check: async (end) => {
          if (!(await isAddedWith(world, email, end))) assert.equal(resultOf(await end.again()), 'Invited');
          return async () => {
            const InvitationToken = secretIn(await mailTo(world, email), 'InvitationToken');
            const body = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
            for (const status of [200, 400])
              assert.equal((await ask(world.portal, '/account/register-guest', { body }))?.status, status);
            await logIn(world, { email });
          };
        },
      };
    },
  },
  {
    name: 'the removal of a guest',
    service: 'portal',
    path: '/account/remove-user',
    prepare: async (world) => {
      const channel = await newChannel(world);
      const account = await newAccount(world, 'Guest');
      await grant(world, channel.id, account.id);
      const { Token } = await logIn(world, account);
      return {
        body: { UserId: account.id, ContentId: channel.id },
        token: channel.ownerToken,
        check: async (end) => {
          await endsWith(world, Token, end);
          assert.equal(resultOf(await end.again()), end.isCommitted ? 'NoAccess' : 'AccessRevoked');
          await waitUntilRefused(world, Token, PROMISED_SECONDS);
          assert.equal((await tryLogin(world, account))?.status, 403);
          return async () => void (await mailTo(world, account.email));
        },
      };
    },
  },
  {
    name: 'the erasure of an account that its owner confirms',
    service: 'core',
    path: '/account/erase',
    prepare: async (world) => {
      const account = await newAccount(world);
      const { Token: token } = await logIn(world, account);
      const asked = await ask(world.core, '/account/erase', { body: { Password: PASSWORD }, token });
      assert.equal(asked?.status, 200, JSON.stringify(asked));
      return {
        body: { Code: codeIn(await mailTo(world, account.email)) },
        token,
        check: async (end) => {
          await endsWith(world, token, end);
          assert.deepEqual(await standingOf(world, account), end.isCommitted ? CLOSED : OPEN);
          if (!end.isCommitted) assert.equal((await end.again())?.status, 202);
          await waitUntilRefused(world, token, PROMISED_SECONDS);
          assert.deepEqual(await standingOf(world, account), CLOSED);
          assert.equal((await tryLogin(world, account))?.status, 403);
          return async () => {
            const mail = await mailTo(world, account.email, 2);
            const body = { Code: secretIn(mail, 'restore-account#Code') };
            assert.equal((await ask(world.core, '/account/restore', { body }))?.status, 200);
            await logIn(world, account);
            assert.equal(world.sink.mailsTo(account.email).length, 2);
          };
        },
      };
    },
  },
];

/** Whether the account exists, which it must if the answer says so, and only with the commit. */
async function isAddedWith(world: World, email: string, { answer, isCommitted }: End): Promise<boolean> {
  const isThere = (await findAccount(world, email)) !== undefined;
  assert.equal(isThere, isCommitted, 'in part');
  assert.ok(answer === undefined || isThere, 'a 200 for nothing');
  return isThere;
}

function resultOf(answer: Outcome | undefined): unknown {
  const items = answer?.body['Items'] as { Result: string }[] | undefined; // guaranteed by its schema
  return items?.[0]?.Result;
}

async function standingOf(world: World, { id }: AccountRef): Promise<unknown> {
  const state = `select a.is_disabled as "isDisabled",
       (select count(*)::int from erasure e
        where e.account_id = a.id and e.restored_at is null and e.erased_at is null) as pending,
       (select count(*)::int from user_session s where s.account_id = a.id and s.ended_at is null) as active,
       (select count(*)::int from audit l
        where l.target_id = a.id and l.action = 'account.erasure-requested') as requested
     from account a
     where a.id = ?`;
  const [found] = await query(world.database.db, state, [id]);
  return found;
}
