import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError, jsonIn, newP256Jwk, newRsaJwk } from '@gatehouse/runtime';
import {
  P256_MEMBERS,
  P256_SECRETS,
  publicP256,
  publicRsa,
  readP256,
  readP256Secret,
  readRsa,
  readRsaSecret,
  RSA_MEMBERS,
  RSA_SECRETS,
  thumbprintOfP256,
  thumbprintOfRsa,
} from './key-material.ts';
import type { Fault, P256Public, P256Secret, RsaPublic, RsaSecret } from './key-material.ts';

/** How a key signs. A set of access tokens has keys for `ES256` alone; one of ID tokens has at least one for `RS256`. */
export type KeyAlg = 'ES256' | 'RS256';

/** A key verifies as long as it is in the set; if it has a private half, it signs from `signsFrom` on. */
export interface SigningKey {
  /** The RFC 7638 thumbprint, so that a name can never refer to another key. */
  kid: string;
  /** When it was created, in epoch seconds. */
  issuedAt: number;
  /** When it starts to sign, in epoch seconds: some time after its publication, so that every verifier knows it by then. */
  signsFrom: number;
  /** Absent in a public set, which only verifies. */
  privateKey: KeyObject | undefined;
  publicKey: KeyObject;
  publicJwk: PublicJwk;
}

/** The keys of a set by `kid`, oldest first. */
export type KeySet = ReadonlyMap<string, SigningKey>;

interface Named {
  kid: string;
  use: 'sig';
}

interface Dated extends Named {
  iat: number;
  nbf: number;
}

/** A key as published in `/.well-known/jwks.json` (RFC 7517). */
export type PublicJwk = (P256Public | RsaPublic) & Named;

/** A key as stored in a file; `nbf` is when it starts to sign. */
export type DatedJwk = (P256Public | RsaPublic) & Dated;

export type PrivateJwk = P256Jwk | RsaJwk;
type P256Jwk = P256Public & P256Secret & Dated;
type RsaJwk = RsaPublic & RsaSecret & Dated;

/** Parses a private JWK set. @throws {ConfigError} that says which key is wrong and why, without its content. */
export function parseKeySet(json: string): KeySet {
  return toKeySet(readSet(json, checkedJwkOf('ES256')));
}

/** Parses the private JWK set of ID tokens. @throws {ConfigError} as `parseKeySet`. */
export function parseIdTokenKeySet(json: string): KeySet {
  const keys = parseJwks(json);
  if (!isIdTokenSet(keys))
    throw new ConfigError('the key set has no key for RS256, as those of ID tokens do');
  return toKeySet(keys);
}

/** Whether these keys are for ID tokens: those of access tokens have ES256 alone. */
function isIdTokenSet(keys: readonly PrivateJwk[]): boolean {
  return keys.some(({ alg }) => alg === 'RS256');
}

export function keysFor(set: KeySet, alg: KeyAlg): KeySet {
  return new Map([...set].filter(([, { publicJwk }]) => publicJwk.alg === alg));
}

/** For services that only verify: a private key is refused. @throws {ConfigError} as `parseKeySet`. */
export function parsePublicKeySet(json: string): KeySet {
  const check = (key: unknown, name: string): DatedJwk => checkedPublicJwk(key, name, 'ES256');
  return asKeySet(readSet(json, check).map(verifyingKeyOf));
}

/** The private JWKs of a set of either kind, each validated, in the order of the file. */
export function parseJwks(json: string): PrivateJwk[] {
  return readSet(json, (key, name) =>
    checkedJwkOf(isRecord(key) && key['kty'] === 'RSA' ? 'RS256' : 'ES256')(key, name),
  );
}

export function withoutPrivate(keys: readonly PrivateJwk[]): DatedJwk[] {
  return keys.map((key) => ({ ...publicPartOf(key), iat: key.iat, nbf: key.nbf }));
}

/** The public half of a private JWK set, for verifiers. @throws {ConfigError} as `parseKeySet`. */
export function publicKeySetOf(json: string): string {
  return JSON.stringify({ keys: withoutPrivate(parseJwks(json)) });
}

export function toKeySet(keys: readonly PrivateJwk[]): KeySet {
  return asKeySet(keys.map(signingKeyOf));
}

function asKeySet(keys: SigningKey[]): KeySet {
  keys.sort((a, b) => a.signsFrom - b.signsFrom || a.issuedAt - b.issuedAt || (a.kid < b.kid ? -1 : 1));
  return new Map(keys.map((key) => [key.kid, key]));
}

function readSet<T extends DatedJwk>(json: string, check: (key: unknown, name: string) => T): T[] {
  const set = jsonIn(json);
  if (set === undefined) throw new ConfigError('the key set is not JSON');
  const keys = isRecord(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys)) throw new ConfigError('the key set has no array "keys"');
  if (keys.length === 0) throw new ConfigError('the key set is empty');
  const jwks = keys.map((key: unknown, index) => check(key, `key ${index + 1} of the key set`));
  if (new Set(jwks.map(({ kid }) => kid)).size < jwks.length)
    throw new ConfigError('the key set holds a key twice');
  return jwks;
}

/** The key that signs at a time (epoch seconds): the newest that already signs, or the oldest if none does. */
export function signingKey(set: KeySet, atSeconds: number): SigningKey {
  let chosen: SigningKey | undefined;
  for (const key of set.values()) {
    if (chosen === undefined || key.signsFrom <= atSeconds) chosen = key;
  }
  if (chosen === undefined) throw new Error('a key set is never empty');
  return chosen;
}

/** @throws {Error} for the key of a service that only verifies. */
export function privateKeyOf({ privateKey }: SigningKey): KeyObject {
  if (privateKey === undefined) throw new Error('who has public keys alone signs nothing');
  return privateKey;
}

export function publicJwks(...sets: readonly KeySet[]): { keys: PublicJwk[] } {
  return { keys: sets.flatMap((set) => [...set.values()].map((key) => key.publicJwk)) };
}

const NAMED_MEMBERS = ['kid', 'alg', 'use', 'iat', 'nbf'];

function checkedJwkOf(alg: KeyAlg) {
  const secrets = alg === 'ES256' ? P256_SECRETS : RSA_SECRETS;
  return (key: unknown, name: string): PrivateJwk => {
    if (!isRecord(key)) return faultOf(name)('is not an object');
    const shown = Object.fromEntries(Object.entries(key).filter(([member]) => !secrets.includes(member)));
    const jwk = checkedPublicJwk(shown, name, alg);
    if (secrets.every((member) => key[member] === undefined)) faultOf(name)('is not a private key');
    return jwk.kty === 'EC'
      ? { ...jwk, ...readP256Secret(jwk, key, faultOf(name)) }
      : { ...jwk, ...readRsaSecret(jwk, key, faultOf(name)) };
  };
}

function checkedPublicJwk(key: unknown, name: string, expected: KeyAlg): DatedJwk {
  const fault = faultOf(name);
  if (!isRecord(key)) return fault('is not an object');
  if ('d' in key) fault('is a private key, which who signs nothing must not have');
  const members = [...(expected === 'ES256' ? P256_MEMBERS : RSA_MEMBERS), ...NAMED_MEMBERS];
  if (Object.keys(key).some((member) => !members.includes(member)))
    fault(`has a member other than ${members.join(', ')} and the private ones`);
  const material = expected === 'ES256' ? readP256(key, fault) : readRsa(key, fault);
  const { kid, use, iat, nbf } = key;
  if (use !== 'sig') return fault('has a use other than sig');
  if (!isMoment(iat) || !isMoment(nbf)) return fault('has an iat or nbf that is not in whole epoch seconds');
  const thumbprint = material.kty === 'EC' ? thumbprintOfP256(material) : thumbprintOfRsa(material);
  if (kid !== thumbprint) return fault('has a kid other than its RFC 7638 thumbprint');
  return { ...material, kid, use, iat, nbf };
}

function faultOf(name: string): Fault {
  return (what) => {
    throw new ConfigError(`${name} ${what}`);
  };
}

function signingKeyOf(jwk: PrivateJwk): SigningKey {
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...jwk } });
  return { ...verifyingKeyOf(jwk), privateKey };
}

function verifyingKeyOf(jwk: DatedJwk): SigningKey {
  const { kid, iat: issuedAt, nbf: signsFrom } = jwk;
  const publicKey = jwk.kty === 'EC' ? publicP256(jwk, kid) : publicRsa(jwk);
  return { kid, issuedAt, signsFrom, privateKey: undefined, publicKey, publicJwk: publicPartOf(jwk) };
}

function publicPartOf(jwk: DatedJwk): PublicJwk {
  const { kid, use } = jwk;
  if (jwk.kty === 'RSA') return { kty: jwk.kty, n: jwk.n, e: jwk.e, kid, alg: jwk.alg, use };
  return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, kid, alg: jwk.alg, use };
}

export function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Creates a key of access tokens that signs from `signsFrom` on; both times in epoch seconds. */
export function newKey(issuedAt: number, signsFrom: number): P256Jwk {
  const key = { ...newP256Jwk(), alg: 'ES256' } as const;
  return { ...key, kid: thumbprintOfP256(key), use: 'sig', iat: issuedAt, nbf: signsFrom };
}

/** Creates the keys of ID tokens, one for each algorithm, as `newKey`. */
export function newIdTokenKeys(issuedAt: number, signsFrom: number): [RsaJwk, P256Jwk] {
  const key = { ...newRsaJwk(), alg: 'RS256' } as const;
  const rsa: RsaJwk = { ...key, kid: thumbprintOfRsa(key), use: 'sig', iat: issuedAt, nbf: signsFrom };
  return [rsa, newKey(issuedAt, signsFrom)];
}

/**
 * The keys after a rotation: a new one for each algorithm, which signs after it has been published for a while, and
 * those old ones that existing tokens still need. A key is superseded when the next one starts to sign.
 */
export function rotated(
  keys: PrivateJwk[],
  times: { nowSeconds: number; publishSeconds: number; retireSeconds: number },
): PrivateJwk[] {
  const { nowSeconds, publishSeconds, retireSeconds } = times;
  const inOrder = keys.toSorted((a, b) => a.nbf - b.nbf);
  const needed = inOrder.filter((key, i) => {
    const next = inOrder.find(({ alg }, at) => at > i && alg === key.alg);
    return next === undefined || next.nbf + retireSeconds >= nowSeconds;
  });
  const signsFrom = nowSeconds + publishSeconds;
  const added = isIdTokenSet(keys) ? newIdTokenKeys(nowSeconds, signsFrom) : [newKey(nowSeconds, signsFrom)];
  return [...needed, ...added];
}
