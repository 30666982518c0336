import type { CreationOptionsJson, RequestOptionsJson } from './passkey-json.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { KnownPasskey } from './passkey-types.ts';

/** EdDSA, ES256, RS256 (COSE), the preferred one first: what authenticators in use can do. */
export const ALGORITHMS = [-8, -7, -257];

/** How long a person may take; as long as a challenge lives. */
export const CHALLENGE_SECONDS = 300;

/** What a browser is asked for to have a passkey made for an account, other than those that it has. */
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

/** What a browser is asked for to have one used; any that the person has, where none is allowed by name. */
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
