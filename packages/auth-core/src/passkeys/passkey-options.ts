import type { CreationOptionsJson, RequestOptionsJson } from './passkey-json.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { KnownPasskey } from './passkey-types.ts';

/** EdDSA, ES256, RS256 (COSE) in order of preference: the algorithms of common authenticators. */
export const ALGORITHMS = [-8, -7, -257];

/** The time that a user has, which is also the lifetime of a challenge. */
export const CHALLENGE_SECONDS = 300;

/** The browser's options for creating a passkey for an account, excluding authenticators that already have one. */
export function creationOptions(
  { rpId, rpName }: PasskeySite,
  challenge: Buffer,
  user: { handle: Buffer; name: string; displayName: string },
  existing: readonly KnownPasskey[],
): CreationOptionsJson {
  return {
    rp: { id: rpId, name: rpName },
    user: { id: user.handle.toString('base64url'), name: user.name, displayName: user.displayName },
    challenge: challenge.toString('base64url'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_SECONDS * 1000,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** The browser's options for using one of the listed passkeys, or any if the list is empty. */
export function requestOptions(
  { rpId }: PasskeySite,
  challenge: Buffer,
  allowed: readonly KnownPasskey[],
): RequestOptionsJson {
  return {
    challenge: challenge.toString('base64url'),
    rpId,
    timeout: CHALLENGE_SECONDS * 1000,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: 'required',
  };
}

function descriptorOf({ credentialId, transports }: KnownPasskey) {
  return { type: 'public-key' as const, id: credentialId.toString('base64url'), transports: [...transports] };
}
