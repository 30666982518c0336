import assert from 'node:assert/strict';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import type { Operation } from './operation.ts';
import {
  activeSessions,
  findAccount,
  logIn,
  mailedResetCode,
  newAccount,
  PROMISED_SECONDS,
  tokensIn,
  tryLogin,
  waitUntilRefused,
} from '../accounts.ts';
import { ask, codeIn, mailTo, type World } from '../world.ts';

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
          await verify(world, given.Email, codeIn(await mailTo(world, given.Email)));
          await logIn(world, { email: given.Email });
        };
      },
    };
  },
};

const verifyEmail: Operation = {
  name: 'the verification of an email',
  service: 'core',
  prepare: async (world) => {
    const email = someEmail();
    const body = { Email: email, Password: PASSWORD };
    // On a busy machine a password may not be hashed in time.
    await eventually(async () => (await ask(world.core, '/account/register', { body }))?.status === 200, 30);
    const given = { Email: email, Code: codeIn(await mailTo(world, email)) };
    const path = '/account/verify';
    return {
      path,
      body: given,
      check: async ({ answer, isCommitted }) => {
        if (answer !== undefined) await logIn(world, { email });
        const again = await ask(world.core, path, { body: given });
        assert.equal(again?.status, isCommitted ? 400 : 200, 'a code is used once');
        await logIn(world, { email });
      },
    };
  },
};

const forgotPassword: Operation = {
  name: 'the request for a new password',
  service: 'core',
  prepare: async (world) => {
    const account = await newAccount(world);
    const path = '/account/forgot-password';
    const body = { Email: account.email };
    return {
      path,
      body,
      check: async ({ isCommitted }) => {
        if (!isCommitted) assert.equal((await ask(world.core, path, { body }))?.status, 200);
        return async () => {
          const given = { ...body, Code: codeIn(await mailTo(world, account.email)), Password: OTHER };
          assert.equal((await ask(world.core, '/account/reset-password', { body: given }))?.status, 200);
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
    const given = { Email: account.email, Code: await mailedResetCode(world, account) };
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

const OTHER = 'quite another password';

async function verify(world: World, email: string, code: string): Promise<void> {
  const answer = await ask(world.core, '/account/verify', { body: { Email: email, Code: code } });
  assert.equal(answer?.status, 200, `the code in the mail: ${JSON.stringify(answer?.body)}`);
}

export const accountOperations = [register, verifyEmail, forgotPassword, resetPassword];
