import type { AssertionJson, RegistrationJson } from './passkey-json.ts';
import { creationOptions, requestOptions } from './passkey-options.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { KnownPasskey } from './passkey-types.ts';
import { verifyAssertion } from './verify-assertion.ts';
import { verifyRegistration } from './verify-registration.ts';

export type Passkeys = ReturnType<typeof createPasskeys>;

/**
 * Creates the browser's options and verifies its responses. The authenticator must always have verified its user,
 * whatever the options requested: a passkey replaces both password and second factor.
 */
export function createPasskeys(site: PasskeySite) {
  return {
    site,
    creationOptions: (
      challenge: Buffer,
      user: Parameters<typeof creationOptions>[2],
      existing: readonly KnownPasskey[],
    ) => creationOptions(site, challenge, user, existing),
    requestOptions: (challenge: Buffer, allowed: readonly KnownPasskey[]) =>
      requestOptions(site, challenge, allowed),
    verifyRegistration: (response: RegistrationJson, challenge: Buffer) =>
      verifyRegistration(site, response, challenge),
    verifyAssertion: (
      response: AssertionJson,
      challenge: Buffer,
      passkey: Parameters<typeof verifyAssertion>[3],
    ) => verifyAssertion(site, response, challenge, passkey),
  };
}

/** The id of a passkey as bytes; `undefined` for text that is not canonical base64url. */
export function credentialIdOf({ id }: Pick<AssertionJson, 'id'>): Buffer | undefined {
  const bytes = Buffer.from(id, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === id ? bytes : undefined;
}
