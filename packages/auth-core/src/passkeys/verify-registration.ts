import { isFromOwnPage } from './is-from-own-page.ts';
import type { RegistrationJson } from './passkey-json.ts';
import { ALGORITHMS } from './passkey-options.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { NewPasskey } from './passkey-types.ts';
import { unlessRefused, webauthnFunctions } from './webauthn-library.ts';

/** The passkey that was created for the challenge; `undefined` if anything is invalid. */
export async function verifyRegistration(
  site: PasskeySite,
  response: RegistrationJson,
  challenge: Buffer,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthnFunctions();
  if (!isFromOwnPage(response) || !(await isWithoutAttestation(response))) return undefined;
  const made = await unlessRefused(() =>
    verifyRegistrationResponse({
      expectedOrigin: [...site.origins],
      expectedRPID: site.rpId,
      requireUserVerification: true,
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge.toString('base64url'),
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (made?.verified !== true) return undefined;
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = made.registrationInfo;
  const algorithm = await algorithmOf(credential.publicKey);
  // A passkey that signs under another id than the announced one would never be found again.
  if (algorithm === undefined || credential.id !== response.id) return undefined;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    algorithm,
    signCount: credential.counter,
    transports: response.response.transports ?? [],
    aaguid: aaguid === NO_AAGUID ? undefined : aaguid,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';

/**
 * No attestation is requested, so a browser sends none, or a signature by the passkey itself (WebAuthn Level 3,
 * §5.1.3). Certificates of other parties are not even parsed: they contain addresses to fetch.
 */
async function isWithoutAttestation({ response }: RegistrationJson): Promise<boolean> {
  const { decodeAttestationObject } = await webauthnFunctions();
  const isWithout = await unlessRefused(async () => {
    const object = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    );
    const format = object.get('fmt');
    return format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  });
  return isWithout === true;
}

async function algorithmOf(publicKey: Uint8Array): Promise<number | undefined> {
  const { cose, decodeCredentialPublicKey } = await webauthnFunctions();
  return decodeCredentialPublicKey(new Uint8Array(publicKey)).get(cose.COSEKEYS.alg);
}
