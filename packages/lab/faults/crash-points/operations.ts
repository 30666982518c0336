import assert from 'node:assert/strict';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction, query, type ApiName } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { SessionStatus } from '@gatehouse/schema';
import {
  activeSessions,
  endsWith,
  findAccount,
  isRefused,
  logIn,
  newAccount,
  newChannel,
  PROMISED_SECONDS,
  tokensIn,
  tryLogin,
  waitUntilRefused,
  type AccountRef,
  type End,
} from './accounts.ts';
import { codeIn, invitationTokenIn, mailTo, restoreCodeIn } from '../mails.ts';
import { ask, type World } from './world.ts';

/** An operation that a service performs for a client in several steps. It may die between them. */
export interface Operation {
  name: string;
  service: ApiName;
  /** Creates everything that one try needs. */
  prepare(world: World): Promise<Try>;
}

export interface Try {
  path: string;
  body: object;
  token?: string;
  /**
   * Checks that what is left is consistent, and continues as the client would, with a running service. Returns checks
   * that must succeed once the mails are sent.
   */
  check(end: End): Promise<(() => Promise<void>) | void>;
}

const OTHER = 'quite another password';

const register: Operation = {
  name: 'a registration',
  service: 'core',
  prepare: async (world) => {
    const given = { Email: someEmail(), Password: PASSWORD };
    const path = '/account/register';
    return {
      path,
      body: given,
      check: async ({ answer, isCommitted }) => {
        const isThere = (await findAccount(world, given.Email)) !== undefined;
        assert.equal(isThere, isCommitted, 'an account in part');
        assert.ok(answer === undefined || isThere, 'a 200 for no account');
        // Who is there already must have been mailed by what was committed then, without another request.
        if (!isThere) assert.equal((await ask(world.core, path, { body: given }))?.status, 200);
        return async () => {
          const Code = codeIn(await mailTo(world, given.Email));
          const verified = await ask(world.core, '/account/verify', { body: { Email: given.Email, Code } });
          assert.equal(verified?.status, 200, `the code in the mail: ${JSON.stringify(verified?.body)}`);
          await logIn(world, { email: given.Email });
        };
      },
    };
  },
};

const resetPassword: Operation = {
  name: 'the reset of a password',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const { Token: older } = await logIn(world, account);
    await ask(world.core, '/account/forgot-password', { body: { Email: account.email } });
    const given = { Email: account.email, Code: codeIn(await mailTo(world, account.email)) };
    const path = '/account/reset-password';
    const reset = (Password: string) => ask(world.core, path, { body: { ...given, Password } });
    return {
      path,
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
        return async () => {
          await mailTo(world, account.email, 2);
        };
      },
    };
  },
};

const login: Operation = {
  name: 'a login',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const older = await logIn(world, account);
    return {
      path: '/account/login',
      body: { Username: account.email, Password: PASSWORD },
      check: async (end) => {
        assert.equal(await activeSessions(world, account), 1);
        await endsWith(world, older.Token, end);
        if (end.answer !== undefined) assert.equal(await isRefused(world, tokensIn(end.answer).Token), false);
        // What a client does that got no answer.
        const { Token } = await logIn(world, account);
        await waitUntilRefused(world, older.Token, PROMISED_SECONDS);
        assert.equal(await isRefused(world, Token), false);
        assert.equal(await activeSessions(world, account), 1);
      },
    };
  },
};

const refresh: Operation = {
  name: 'a refresh that adopts the new token',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const { RefreshToken: first } = await logIn(world, account);
    const path = '/account/refresh-token';
    const use = async (RefreshToken: string) =>
      tokensIn(await ask(world.core, path, { body: { RefreshToken } }));
    const { RefreshToken: adopted } = await use(first);
    return {
      path,
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
};

const deactivate: Operation = {
  name: "an administrator's change of a user's sessions",
  service: 'admin',
  prepare: async (world) => {
    const { Token: token } = await logIn(world, await newAccount(world, 'Admin'));
    const account = await newAccount(world);
    const { Token: hers } = await logIn(world, account);
    const path = '/admin/user-session';
    const body = { UserId: account.id, Status: SessionStatus.Deactivated };
    return {
      path,
      body,
      token,
      check: async (end) => {
        await endsWith(world, hers, end);
        const again = await ask(world.admin, path, { body, token });
        assert.deepEqual([again?.status, again?.body['Count']], [200, end.isCommitted ? 0 : 1]);
        await waitUntilRefused(world, hers, PROMISED_SECONDS);
      },
    };
  },
};

const INVITE = '/account/invite-user';
const REGISTER = '/account/register-guest';
const REMOVE = '/account/remove-user';

const invite: Operation = {
  name: 'an invitation',
  service: 'portal',
  prepare: async (world) => {
    const channel = await newChannel(world);
    const email = someEmail();
    const body = { Emails: [email], ContentDefinitionId: channel.id };
    return {
      path: INVITE,
      body,
      token: channel.ownerToken,
      check: async ({ answer, isCommitted }) => {
        const isThere = (await findAccount(world, email)) !== undefined;
        assert.equal(isThere, isCommitted, 'an invitation in part');
        assert.ok(answer === undefined || isThere, 'a 200 for no invitation');
        if (!isThere) {
          const again = await ask(world.portal, INVITE, { body, token: channel.ownerToken });
          assert.equal(resultOf(again), 'Invited');
        }
        return async () => {
          const InvitationToken = invitationTokenIn(await mailTo(world, email));
          const given = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
          assert.equal((await ask(world.portal, REGISTER, { body: given }))?.status, 200);
          assert.equal((await ask(world.portal, REGISTER, { body: given }))?.status, 400);
          await logIn(world, { email });
        };
      },
    };
  },
};

const remove: Operation = {
  name: 'the removal of a guest',
  service: 'portal',
  prepare: async (world) => {
    const channel = await newChannel(world);
    const account = await newAccount(world, 'Guest');
    const access = { contentDefinitionId: channel.id, accountId: account.id, grantedBy: undefined };
    await inTransaction(world.database.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
    const { Token } = await logIn(world, account);
    const asked = { body: { UserId: account.id, ContentId: channel.id }, token: channel.ownerToken };
    return {
      path: REMOVE,
      ...asked,
      check: async (end) => {
        await endsWith(world, Token, end);
        const again = await ask(world.portal, REMOVE, asked);
        assert.equal(resultOf(again), end.isCommitted ? 'NoAccess' : 'AccessRevoked');
        await waitUntilRefused(world, Token, PROMISED_SECONDS);
        assert.equal((await tryLogin(world, account))?.status, 403);
        return async () => void (await mailTo(world, account.email));
      },
    };
  },
};

function resultOf(answer: Awaited<ReturnType<typeof ask>>): unknown {
  const items = answer?.body['Items'] as { Result: string }[] | undefined; // guaranteed by its schema
  return items?.[0]?.Result;
}

const ERASE = '/account/erase';
const RESTORE = '/account/restore';

/** How an account stands that nobody wants to be erased, and one that is closed. */
const OPEN = { isDisabled: false, pending: 0, active: 1, requested: 0, takenBack: 0 };
const CLOSED = { isDisabled: true, pending: 1, active: 0, requested: 1, takenBack: 0 };

const confirm: Operation = {
  name: 'the erasure of an account that its owner confirms',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const { Token: token } = await logIn(world, account);
    const asked = await ask(world.core, ERASE, { body: { Password: PASSWORD }, token });
    assert.equal(asked?.status, 200, JSON.stringify(asked));
    const Code = codeIn(await mailTo(world, account.email));
    return {
      path: ERASE,
      body: { Code },
      token,
      check: async (end) => {
        await endsWith(world, token, end);
        assert.deepEqual(await standingOf(world, account), end.isCommitted ? CLOSED : OPEN);
        if (!end.isCommitted)
          assert.equal((await ask(world.core, ERASE, { body: { Code }, token }))?.status, 202);
        await waitUntilRefused(world, token, PROMISED_SECONDS);
        assert.deepEqual(await standingOf(world, account), CLOSED);
        assert.equal((await tryLogin(world, account))?.status, 403);
        return async () => {
          const body = { Code: restoreCodeIn(await mailTo(world, account.email, 2)) };
          assert.equal((await ask(world.core, RESTORE, { body }))?.status, 200);
          await logIn(world, account);
          assert.equal(world.sink.mailsTo(account.email).length, 2);
        };
      },
    };
  },
};

async function standingOf(world: World, { id }: AccountRef): Promise<unknown> {
  const state = `select a.is_disabled as "isDisabled",
       (select count(*)::int from erasure e
        where e.account_id = a.id and e.restored_at is null and e.erased_at is null) as pending,
       (select count(*)::int from user_session s where s.account_id = a.id and s.ended_at is null) as active,
       (select count(*)::int from audit l
        where l.target_id = a.id and l.action = 'account.erasure-requested') as requested,
       (select count(*)::int from audit l
        where l.target_id = a.id and l.action = 'account.erasure-taken-back') as "takenBack"
     from account a
     where a.id = ?`;
  const [found] = await query(world.database.db, state, [id]);
  return found;
}

export const OPERATIONS = [register, resetPassword, login, refresh, deactivate, invite, remove, confirm];
