import assert from 'node:assert/strict';
import { PASSWORD } from '@gatehouse/accounts/testing';
import { SessionStatus } from '@gatehouse/schema';
import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';
import type { Operation } from './operation.ts';
import {
  activeSessions,
  isRefused,
  logIn,
  newAccount,
  PROMISED_SECONDS,
  tokensIn,
  tryLogin,
  waitUntilRefused,
  type AccountRef,
} from '../accounts.ts';
import { ask, mailTo, type World } from '../world.ts';

const login: Operation = {
  name: 'a login',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const older = await logIn(world, account);
    return {
      path: '/account/login',
      body: { Username: account.email, Password: PASSWORD },
      check: async ({ answer, isCommitted }) => {
        assert.equal(await activeSessions(world, account), 1);
        if (answer !== undefined) {
          await waitUntilRefused(world, older.Token, PROMISED_SECONDS);
          assert.equal(await isRefused(world, tokensIn(answer).Token), false);
        }
        if (isCommitted) await waitUntilRefused(world, older.Token);
        else assert.equal(await isRefused(world, older.Token), false);
        await replaces(world, account, older.Token);
      },
    };
  },
};

/** What a client does that got no answer. */
async function replaces(world: World, account: AccountRef, older: string): Promise<void> {
  const { Token } = await logIn(world, account);
  await waitUntilRefused(world, older, PROMISED_SECONDS);
  assert.equal(await isRefused(world, Token), false);
  assert.equal(await activeSessions(world, account), 1);
}

const loginWithRecoveryCode: Operation = {
  name: 'a login with a second factor',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const [first = '', second = ''] = await recoveryCodesOf(world, account);
    const given = { TwoFactorToken: await twoFactorToken(world, account), TwoFactorCode: first };
    const show = (body: object) => ask(world.core, '/account/login', { body });
    return {
      path: '/account/login',
      body: given,
      check: async ({ answer, isCommitted }) => {
        assert.ok((await activeSessions(world, account)) <= 1);
        if (answer !== undefined) assert.equal(await isRefused(world, tokensIn(answer).Token), false);
        const again = await show(given);
        assert.equal(again?.status, isCommitted ? 404 : 200, 'the token is used once, with its code');
        const fresh = { TwoFactorToken: await twoFactorToken(world, account) };
        assert.equal((await show({ ...fresh, TwoFactorCode: first }))?.status, 404, 'the code is used once');
        tokensIn(await show({ ...fresh, TwoFactorCode: second }));
        assert.equal(await activeSessions(world, account), 1);
        // That it is on, and each recovery code that was used.
        return async () => void (await mailTo(world, account.email, 3));
      },
    };
  },
};

async function recoveryCodesOf(world: World, account: AccountRef): Promise<string[]> {
  const { Token: token } = await logIn(world, account);
  const setUp = (body: object) => ask(world.core, '/account/two-factor', { body, token });
  // Checked by their schema before they were sent.
  const begun = (await setUp({ Password: PASSWORD }))?.body as
    { TwoFactorSetup: { Secret: string } } | undefined;
  const TwoFactorCode = totpCode(base32Bytes(begun?.TwoFactorSetup.Secret ?? ''), Date.now());
  return (await setUp({ TwoFactorCode }))?.body['RecoveryCodes'] as string[];
}

async function twoFactorToken(world: World, account: AccountRef): Promise<string> {
  return String((await tryLogin(world, account))?.body['TwoFactorToken']);
}

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

const logout: Operation = {
  name: 'a logout',
  service: 'core',
  prepare: async (world) => {
    const { Token: token, RefreshToken } = await logIn(world, await newAccount(world));
    return {
      path: '/account/logout',
      body: {},
      token,
      check: async ({ answer, isCommitted }) => {
        if (answer !== undefined) await waitUntilRefused(world, token, PROMISED_SECONDS);
        if (isCommitted) await waitUntilRefused(world, token);
        else assert.equal((await ask(world.core, '/account/logout', { token }))?.status, 200);
        await waitUntilRefused(world, token, PROMISED_SECONDS);
        const refreshed = await ask(world.core, '/account/refresh-token', { body: { RefreshToken } });
        assert.equal(refreshed?.status, 401);
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
      check: async ({ answer, isCommitted }) => {
        if (answer !== undefined) await waitUntilRefused(world, hers, PROMISED_SECONDS);
        if (isCommitted) await waitUntilRefused(world, hers);
        else assert.equal(await isRefused(world, hers), false);
        const again = await ask(world.admin, path, { body, token });
        assert.deepEqual([again?.status, again?.body['Count']], [200, isCommitted ? 0 : 1]);
        await waitUntilRefused(world, hers, PROMISED_SECONDS);
      },
    };
  },
};

export const sessionOperations = [login, loginWithRecoveryCode, refresh, logout, deactivate];
