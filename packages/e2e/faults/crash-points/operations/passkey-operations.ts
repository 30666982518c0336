import assert from 'node:assert/strict';
import {
  activeSessions,
  isRefused,
  logIn,
  PROMISED_SECONDS,
  tokensIn,
  waitUntilRefused,
  type AccountRef,
} from '../accounts.ts';
import type { Operation } from './operation.ts';
import { countPasskeys, createPasskey, newOwner, newOwnerWithPasskey, sign } from './passkeys.ts';
import { ask, mailTo, type World } from '../world.ts';

const add: Operation = {
  name: 'the addition of a passkey',
  service: 'core',
  prepare: async (world) => {
    const owner = await newOwner(world);
    const { account, token } = owner;
    const body = await createPasskey(world, owner);
    const path = '/account/passkey';
    return {
      path,
      body,
      token,
      check: async ({ answer, isCommitted }) => {
        assert.equal(await countPasskeys(world, account), isCommitted ? 1 : 0, 'a passkey in part');
        assert.ok(answer === undefined || isCommitted, 'a 201 for no passkey');
        const again = await ask(world.core, path, { body, token });
        assert.equal(again?.status, isCommitted ? 400 : 201, 'a token is used once');
        assert.equal(await countPasskeys(world, account), 1);
        tokensIn(await ask(world.core, '/account/login', { body: await sign(world, owner, 'login') }));
        return () => wasMailed(world, account, 1);
      },
    };
  },
};

const remove: Operation = {
  name: 'the removal of a passkey',
  service: 'core',
  prepare: async (world) => {
    const owner = await newOwnerWithPasskey(world);
    const { account, token, passkeyId } = owner;
    const body = await sign(world, owner, 'confirmation');
    const path = `/account/passkey/${passkeyId}`;
    return {
      method: 'DELETE',
      path,
      body,
      token,
      check: async ({ answer, isCommitted }) => {
        assert.equal(await countPasskeys(world, account), isCommitted ? 0 : 1, 'a removal in part');
        assert.ok(answer === undefined || isCommitted, 'a 204 for no removal');
        const login = await sign(world, owner, 'login');
        // What the client showed is good still, unless it was used.
        const again = await ask(world.core, path, { method: 'DELETE', body, token });
        assert.equal(again?.status, isCommitted ? 404 : 204, JSON.stringify(again?.body));
        assert.equal((await ask(world.core, '/account/login', { body: login }))?.status, 404);
        await logIn(world, account);
        return () => wasMailed(world, account, 2);
      },
    };
  },
};

const login: Operation = {
  name: 'a login with a passkey',
  service: 'core',
  prepare: async (world) => {
    const owner = await newOwnerWithPasskey(world);
    const { account, token: older } = owner;
    const body = await sign(world, owner, 'login');
    const path = '/account/login';
    return {
      path,
      body,
      check: async ({ answer, isCommitted }) => {
        assert.equal(await activeSessions(world, account), 1);
        if (answer !== undefined) {
          await waitUntilRefused(world, older, PROMISED_SECONDS);
          assert.equal(await isRefused(world, tokensIn(answer).Token), false);
        }
        if (isCommitted) await waitUntilRefused(world, older);
        else assert.equal(await isRefused(world, older), false);
        const again = await ask(world.core, path, { body });
        assert.equal(again?.status, isCommitted ? 404 : 200, 'a signature is used once');
        // Its count has risen, whether the answer arrived or not: nobody takes it for a copy.
        tokensIn(await ask(world.core, path, { body: await sign(world, owner, 'login') }));
        assert.equal(await activeSessions(world, account), 1);
        return () => wasMailed(world, account, 1);
      },
    };
  },
};

/** The owner was told so many times, and of nothing else, such as that there is a copy of the passkey. */
async function wasMailed(world: World, { email }: AccountRef, count: number): Promise<void> {
  await mailTo(world, email, count);
  assert.equal(world.sink.mailsTo(email).length, count);
}

export const passkeyOperations = [add, remove, login];
