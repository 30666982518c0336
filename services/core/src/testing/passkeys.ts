import { newAccount, someAddress, TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import { createSoftwareAuthenticator, type AuthenticatorOverrides } from '@gatehouse/auth-core/testing';
import type { CreationOptionsJson, RequestOptionsJson } from '@gatehouse/auth-core';
import type { TestCore } from './index.ts';

const ORIGIN = TEST_PASSKEY_SITE.origins[0] ?? '';

interface Asked {
  PasskeyToken: string;
  Options: RequestOptionsJson;
}

/** A user with an authenticator, logged in as if with a passkey: also enough where a second factor is required. */
export async function newPasskeyOwner(core: TestCore, kind: 'synced' | 'device-bound' = 'synced') {
  const { id, email } = await newAccount(core.app);
  const authenticator = createSoftwareAuthenticator(ORIGIN, kind);
  const { Token } = await core.login(email);
  const bearer = core.bearer(Token);
  await core.sql(`update user_session set authenticated_by = '{passkey}' where account_id = ?`, [id]);

  /** Starts to add a passkey, right after a login. */
  const begin = async (shown: object = {}) => {
    const { body } = await core.post('/account/passkey/options', shown, bearer).expect(200);
    return body as { PasskeyToken: string; Options: CreationOptionsJson };
  };
  const add = async (more: { Name?: string } = {}, overrides?: AuthenticatorOverrides) => {
    const { PasskeyToken, Options } = await begin();
    const given = { PasskeyToken, Credential: authenticator.create(Options, overrides), ...more };
    const { body } = await core.post('/account/passkey', given, bearer).expect(201);
    return body as { Id: string; Name: string; IsBackedUp: boolean; RecoveryCodes?: string[] };
  };
  /** Makes the session this old, so that it no longer counts as a confirmation. */
  const forgetProof = () => {
    const sql = `update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?`;
    return core.sql(sql, [id]);
  };
  const listed = () => core.http.get('/account/passkey').set(bearer);
  const remove = (passkeyId: string, shown: object = {}) =>
    core.http.delete(`/account/passkey/${passkeyId}`).set(bearer).send(shown);
  /** A signature that confirms what the session asks for. */
  const prove = async (overrides?: AuthenticatorOverrides) => {
    const { body } = await core.post('/account/passkey/confirmation', {}, bearer).expect(200);
    const { PasskeyToken, Options } = body as Asked;
    return { PasskeyToken, Credential: authenticator.get(Options, overrides) };
  };
  const signsIn = async (overrides?: AuthenticatorOverrides, status = 200) =>
    send(core, await signIn(core, { authenticator }, overrides)).expect(status);
  /** Changes the row of the account: `is_disabled = true`. */
  const set = (sets: string) => core.sql(`update account set ${sets} where id = ?`, [id]);
  return { id, email, bearer, authenticator, begin, add, forgetProof, listed, prove, remove, set, signsIn };
}

export type PasskeyOwner = Awaited<ReturnType<typeof newPasskeyOwner>>;

export async function ownerWithPasskey(...given: Parameters<typeof newPasskeyOwner>) {
  const owner = await newPasskeyOwner(...given);
  return { ...owner, passkeyId: (await owner.add()).Id };
}

/** What a login page is given to sign; each time from another address, as an address gets few a minute. */
export async function requestPasskey(core: TestCore): Promise<Asked> {
  const from = { 'x-forwarded-for': someAddress() };
  return (await core.post('/account/login/passkey', {}, from).expect(200)).body as Asked;
}

export async function signIn(
  core: TestCore,
  { authenticator }: { authenticator: ReturnType<typeof createSoftwareAuthenticator> },
  overrides?: AuthenticatorOverrides,
) {
  const { PasskeyToken, Options } = await requestPasskey(core);
  return { PasskeyToken, Credential: authenticator.get(Options, overrides) };
}

/** Sends a login from a separate address, so that failures do not affect other tests. */
export function send(core: TestCore, body: object) {
  return core.post('/account/login', body, { 'x-forwarded-for': someAddress() });
}
