import { jsonIn } from '@gatehouse/runtime';
import type {
  AssertionJson,
  CreationOptionsJson,
  RegistrationJson,
  RequestOptionsJson,
} from './passkey-json.ts';
import type { PasskeySite } from './passkey-site.ts';

export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  algorithm: number;
  signCount: number;
  transports: string[];
  /** The model of the authenticator, if it reveals it. */
  aaguid: string | undefined;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

/** The state that an authenticator sends with a signature. */
export interface Assertion {
  signCount: number;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

export interface KnownPasskey {
  credentialId: Buffer;
  transports: readonly string[];
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/**
 * The authenticator must always have verified its user, whatever the options requested: a passkey replaces both
 * password and second factor.
 */
export function createPasskeys(site: PasskeySite) {
  return {
    site,
    creationOptions: creationOptions.bind(undefined, site),
    requestOptions: requestOptions.bind(undefined, site),
    verifyRegistration: verifyRegistration.bind(undefined, site),
    verifyAssertion: verifyAssertion.bind(undefined, site),
  };
}

/** The id of a passkey as bytes; `undefined` for text that is not canonical base64url. */
export function credentialIdOf({ id }: Pick<AssertionJson, 'id'>): Buffer | undefined {
  const bytes = Buffer.from(id, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === id ? bytes : undefined;
}

/** EdDSA, ES256, RS256 (COSE) in order of preference: the algorithms of common authenticators. */
const ALGORITHMS = [-8, -7, -257];

/** The time that a user has, which is also the lifetime of a challenge. */
export const CHALLENGE_SECONDS = 300;

function creationOptions(
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
function requestOptions(
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

async function verifyRegistration(
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

/**
 * The authenticator's state if its passkey signed the challenge correctly, otherwise `undefined`. The caller checks the
 * signature counter, and whether the passkey may be backed up: that never changes (WebAuthn Level 3, §6.1.3), and yet
 * does when some password managers synchronise a passkey for the first time.
 */
async function verifyAssertion(
  site: PasskeySite,
  response: AssertionJson,
  challenge: Buffer,
  passkey: { credentialId: Buffer; publicKey: Buffer },
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
  return {
    signCount: newCounter,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

/** A page inside a frame of another site is not the page that the user believes to be on. */
function isFromOwnPage({ response }: { response: { clientDataJSON: string } }): boolean {
  const client = jsonIn(Buffer.from(response.clientDataJSON, 'base64url').toString());
  return (
    typeof client === 'object' && client !== null && !('crossOrigin' in client && client.crossOrigin === true)
  );
}

/** Loaded for the first passkey: importing the library takes longer than the rest of a start. */
function webauthnFunctions() {
  return import('./webauthn-functions.ts');
}

/** The library throws for everything that it refuses or cannot parse. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
