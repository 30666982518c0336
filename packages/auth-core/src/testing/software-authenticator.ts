import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AssertionJson, CreationOptionsJson } from '../passkeys/passkey-json.ts';
import type { RegistrationJson, RequestOptionsJson } from '../passkeys/passkey-json.ts';

export const cbor = isoCBOR.encode;
export type CborValue = Parameters<typeof cbor>[0];

/** What an authenticator, its browser or a thief does otherwise than it should; nothing by default. */
export interface AuthenticatorOverrides {
  type?: string;
  origin?: string;
  challenge?: string;
  crossOrigin?: boolean;
  rpId?: string;
  isUserPresent?: boolean;
  isUserVerified?: boolean;
  isBackupEligible?: boolean;
  isBackedUp?: boolean;
  signCount?: number;
  /** As text that is no base64url, or `null` for none. */
  userHandle?: string | null;
  clientDataJson?: (text: string) => string;
  authenticatorData?: (bytes: Buffer) => Buffer;
  signature?: (bytes: Buffer) => Buffer;
  /** Of the whole attestation. */
  attestation?: (object: Map<string, CborValue>) => Uint8Array;
  algorithm?: number;
}

interface Kept {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  algorithm: number;
  signCount: number;
}

type Kind = 'synced' | 'device-bound';

/**
 * An authenticator in software together with the browser in front of it (WebAuthn Level 3, §6.3 and §7): it makes passkeys
 * and signs with them as it is asked to, or as `overrides` say. Synced passkeys count nothing; device-bound ones count.
 */
export function createSoftwareAuthenticator(origin: string, kind: Kind = 'synced') {
  const kept: Kept[] = [];
  const isSynced = kind === 'synced';
  const flags = (overrides: AuthenticatorOverrides, more = 0): number =>
    bit(0, overrides.isUserPresent ?? true) |
    bit(2, overrides.isUserVerified ?? true) |
    bit(3, overrides.isBackupEligible ?? isSynced) |
    bit(4, overrides.isBackedUp ?? isSynced) |
    more;

  return {
    kept,

    create(options: CreationOptionsJson, overrides: AuthenticatorOverrides = {}): RegistrationJson {
      const algorithm =
        overrides.algorithm ?? options.pubKeyCredParams.find(({ alg }) => alg in KEYS)?.alg ?? NO_ALGORITHM;
      const { privateKey, coseKey } = newKeyPair(algorithm);
      const id = randomBytes(32);
      const { rp, user } = options;
      const passkey = { id, rpId: rp.id, userHandle: user.id, privateKey, algorithm, signCount: 0 };
      kept.push(passkey);
      const attested = Buffer.concat([AAGUID, uint16(id.length), id, cbor(coseKey)]);
      const data = authenticatorData(passkey, flags(overrides, ATTESTED), overrides, attested);
      const attestation = new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', overrides.authenticatorData?.(data) ?? data],
      ]);
      const text = clientData('webauthn.create', origin, options.challenge, overrides);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(text),
          attestationObject: base64url(overrides.attestation?.(attestation) ?? cbor(attestation)),
          transports: ['internal'],
        },
      };
    },

    /** Signs with the newest passkey that is allowed. */
    get(options: RequestOptionsJson, overrides: AuthenticatorOverrides = {}): AssertionJson {
      const allowed = options.allowCredentials.map(({ id }) => id);
      const passkey = kept.findLast(
        ({ id, rpId }) =>
          rpId === options.rpId && (allowed.length === 0 || allowed.includes(id.toString('base64url'))),
      );
      if (passkey === undefined) throw new Error('this authenticator has no such passkey');
      if (!isSynced) passkey.signCount += 1;
      const made = authenticatorData(passkey, flags(overrides), overrides);
      const data = overrides.authenticatorData?.(made) ?? made;
      const text = clientData('webauthn.get', origin, options.challenge, overrides);
      const signature = signWith(passkey, Buffer.concat([data, sha256(text)]));
      const id = passkey.id.toString('base64url');
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(text),
          authenticatorData: base64url(data),
          signature: base64url(overrides.signature?.(signature) ?? signature),
          ...(overrides.userHandle !== null && { userHandle: overrides.userHandle ?? passkey.userHandle }),
        },
      };
    },
  };
}

const ATTESTED = 1 << 6;
/** Of no model that there is. */
const AAGUID = Buffer.from('5f7a1c0e3b0d4e2f9a6b0c1d2e3f4a5b', 'hex');
const NO_ALGORITHM = 0;

/** COSE keys (RFC 9053 §7): their type, algorithm, curve or modulus, and coordinates or exponent. */
const KEYS: Record<number, () => { privateKey: KeyObject; coseKey: Map<number, CborValue> }> = {
  [-7]: () =>
    ofKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }), (der) => [2, -7, 1, ...pair(der, 32)]),
  [-8]: () => ofKey(generateKeyPairSync('ed25519'), (der) => [1, -8, 6, der.subarray(-32)]),
  [-257]: () =>
    ofKey(generateKeyPairSync('rsa', { modulusLength: 2048 }), (der) => {
      // The exponent has three bytes, after the two of its DER header.
      return [3, -257, der.subarray(-261, -5), der.subarray(-3)];
    }),
  // ES384, which nobody asks for.
  [-35]: () =>
    ofKey(generateKeyPairSync('ec', { namedCurve: 'P-384' }), (der) => [2, -35, 2, ...pair(der, 48)]),
};
/** The labels of these values. */
const LABELS = [1, 3, -1, -2, -3];

function pair(der: Buffer, bytes: number): Buffer[] {
  return [der.subarray(-2 * bytes, -bytes), der.subarray(-bytes)];
}

function newKeyPair(algorithm: number) {
  const make = KEYS[algorithm];
  if (make === undefined) throw new Error(`this authenticator cannot do algorithm ${algorithm}`);
  return make();
}

/** From DER, which ends with the numbers of a public key: in Node 20 the export as a JWK may block the process forever. */
function ofKey(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  coseOf: (der: Buffer) => CborValue[],
) {
  const values = coseOf(publicKey.export({ type: 'spki', format: 'der' }));
  return { privateKey, coseKey: new Map(values.map((value, at) => [LABELS[at] ?? 0, value])) };
}

function signWith({ algorithm, privateKey }: Kept, data: Buffer): Buffer {
  return sign(algorithm === -8 ? null : algorithm === -35 ? 'sha384' : 'sha256', data, privateKey);
}

function authenticatorData(
  { rpId, signCount }: Kept,
  flags: number,
  overrides: AuthenticatorOverrides,
  attested: Buffer = Buffer.alloc(0),
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(overrides.signCount ?? signCount);
  return Buffer.concat([sha256(overrides.rpId ?? rpId), Buffer.from([flags]), count, attested]);
}

function clientData(
  type: string,
  origin: string,
  challenge: string,
  overrides: AuthenticatorOverrides,
): string {
  const text = JSON.stringify({
    type: overrides.type ?? type,
    challenge: overrides.challenge ?? challenge,
    origin: overrides.origin ?? origin,
    crossOrigin: overrides.crossOrigin ?? false,
  });
  return overrides.clientDataJson?.(text) ?? text;
}

function bit(place: number, isSet: boolean): number {
  return isSet ? 1 << place : 0;
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function base64url(value: string | Uint8Array): string {
  return Buffer.from(value as string).toString('base64url'); // both overloads of `from` copy
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
