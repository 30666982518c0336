import { isFromOwnPage } from './is-from-own-page.ts';
import type { AssertionJson } from './passkey-json.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Assertion } from './passkey-types.ts';
import { unlessRefused, webauthnFunctions } from './webauthn-library.ts';

/**
 * The authenticator's state if its passkey signed the challenge correctly, otherwise `undefined`. The caller checks the
 * signature counter.
 */
export async function verifyAssertion(
  site: PasskeySite,
  response: AssertionJson,
  challenge: Buffer,
  passkey: { credentialId: Buffer; publicKey: Buffer; isBackupEligible: boolean },
): Promise<Assertion | undefined> {
  const { verifyAuthenticationResponse } = await webauthnFunctions();
  if (!isFromOwnPage(response)) return undefined;
  const { userHandle, ...signed } = response.response;
  const used = await unlessRefused(() =>
    verifyAuthenticationResponse({
      expectedOrigin: [...site.origins],
      expectedRPID: site.rpId,
      requireUserVerification: true,
      response: {
        ...response,
        response: typeof userHandle === 'string' ? { ...signed, userHandle } : signed,
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.toString('base64url'),
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        // The caller compares the counter: zero disables the library's check.
        counter: 0,
      },
    }),
  );
  if (used?.verified !== true) return undefined;
  const { newCounter, credentialDeviceType, credentialBackedUp } = used.authenticationInfo;
  // This property of a passkey cannot change (WebAuthn Level 3, §6.1.3).
  if ((credentialDeviceType === 'multiDevice') !== passkey.isBackupEligible) return undefined;
  return { signCount: newCounter, isBackedUp: credentialBackedUp };
}
