import assert from 'node:assert/strict';
import { TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import type {
  AssertionJson,
  CreationOptionsJson,
  RegistrationJson,
  RequestOptionsJson,
} from '@gatehouse/auth-core';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { query } from '@gatehouse/db';
import { logIn, newAccount, type AccountRef } from '../accounts.ts';
import { ask, type World } from '../world.ts';

/** A logged-in user with an authenticator. */
export interface PasskeyOwner {
  account: AccountRef;
  token: string;
  authenticator: SoftwareAuthenticator;
}

/** The authenticator is bound to one device, so its passkey counts signatures. */
export async function newOwner(world: World): Promise<PasskeyOwner> {
  const account = await newAccount(world);
  const { Token: token } = await logIn(world, account);
  const authenticator = createSoftwareAuthenticator(TEST_PASSKEY_SITE.origins[0] ?? '', 'device-bound');
  return { account, token, authenticator };
}

/** Creates a passkey that is not added to the account yet. */
export async function createPasskey(
  world: World,
  { token, authenticator }: PasskeyOwner,
): Promise<{ PasskeyToken: string; Credential: RegistrationJson }> {
  const begun = await ask(world.core, '/account/passkey/options', { token });
  assert.equal(begun?.status, 200, JSON.stringify(begun));
  // The service has validated these.
  const { PasskeyToken, Options } = begun.body as unknown as {
    PasskeyToken: string;
    Options: CreationOptionsJson;
  };
  return { PasskeyToken, Credential: authenticator.create(Options) };
}

/** An owner whose passkey is added, with its id. */
export async function newOwnerWithPasskey(world: World): Promise<PasskeyOwner & { passkeyId: string }> {
  const owner = await newOwner(world);
  const body = await createPasskey(world, owner);
  const added = await ask(world.core, '/account/passkey', { body, token: owner.token });
  assert.equal(added?.status, 201, JSON.stringify(added));
  return { ...owner, passkeyId: String(added.body['Id']) };
}

/** Signs with the passkey, for a login or to confirm the identity of a logged-in user. */
export async function sign(
  world: World,
  { token, authenticator }: PasskeyOwner,
  purpose: 'login' | 'confirmation',
): Promise<{ PasskeyToken: string; Credential: AssertionJson }> {
  const asked =
    purpose === 'login'
      ? await ask(world.core, '/account/login/passkey')
      : await ask(world.core, '/account/passkey/confirmation', { token });
  assert.equal(asked?.status, 200, JSON.stringify(asked));
  // The service has validated these.
  const { PasskeyToken, Options } = asked.body as unknown as {
    PasskeyToken: string;
    Options: RequestOptionsJson;
  };
  return { PasskeyToken, Credential: authenticator.get(Options) };
}

/** The number of passkeys of an account. */
export async function countPasskeys(world: World, { id }: AccountRef): Promise<number> {
  return (await query(world.database.db, 'select 1 from passkey where account_id = ?', [id])).length;
}
