import type { PasswordScheme } from '@gatehouse/schema';
import { bcryptCostLike, canBeOurs, readDerivation, writeDerivation, type Derivation } from './derivation.ts';
import type { FastDigest } from './foreign/formats.ts';

export interface StoredPassword {
  hash: string;
  scheme: PasswordScheme;
}

interface StoredSalt {
  salt: string;
  scheme: PasswordScheme;
}

/** How a stored hash is computed from a password, as described by its salt. */
export type Recipe =
  | { kind: 'bcrypt'; salt: string; wraps: FastDigest | undefined }
  | { kind: 'derived'; derivation: Derivation; wraps: FastDigest | undefined };

/**
 * Hashes other than bcrypt start with `$gh$`, two digits and `$`. The digits are where bcrypt has its cost, so that one
 * index finds the highest of each scale (`HighestCosts`).
 */
const PREFIX = '$gh$';
/** Digits from here on belong to an imported hash, in quarters of bcrypt's cost. */
const FOREIGN_CLASS = 20;
/** The highest two digits of each scale: that of bcrypt and our own hashes, and that of imported ones. */
export const CLASS_MAX = { own: FOREIGN_CLASS - 1, foreign: 99 } as const;

const BCRYPT_SALT = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{22}$/;
const BCRYPT_DIGEST = /^[./A-Za-z0-9]{31}$/;

/** The bcrypt cost that two digits represent. */
export function costOfClass(digits: number): number {
  return digits < FOREIGN_CLASS ? digits : (digits - FOREIGN_CLASS) / 4;
}

/** The cost of our own hash by this derivation, rounded up. */
export function ownCost(derivation: Derivation): number {
  return Math.min(CLASS_MAX.own, Math.ceil(bcryptCostLike(derivation)));
}

/** The stored form of our own hash, without the digest. */
export function ownSalt(derivation: Derivation): string {
  return `${PREFIX}${digitsOf(ownCost(derivation))}$${writeDerivation(derivation)}$`;
}

/** The stored form of an imported hash, without the digest. */
export function foreignSalt(derivation: Derivation): string {
  const quarters = Math.ceil(4 * bcryptCostLike(derivation));
  return `${PREFIX}${digitsOf(Math.min(CLASS_MAX.foreign, FOREIGN_CLASS + quarters))}$${writeDerivation(derivation)}$`;
}

/** The stored form of our own hash over a fast digest, with the parameters of that digest. */
export function wrappedHash({ algorithm, saltPosition, salt }: FastDigest, own: string): string {
  const how = `${algorithm}-${saltPosition}$${Buffer.from(salt).toString('base64url')}`;
  if (own.startsWith(PREFIX)) return `${own.slice(0, 6)}$${how}${own.slice(6)}`;
  const [, version = '', cost = '', text = ''] = own.split('$');
  return `${PREFIX}${cost}$${how}$${version}$${cost}$${text.slice(0, 22)}$${text.slice(22)}`;
}

export function splitHash(hash: string): [salt: string, digest: string] {
  const end = hash.startsWith(PREFIX) ? hash.lastIndexOf('$') + 1 : 29;
  return [hash.slice(0, end), hash.slice(end)];
}

/** The recipe of a stored hash by its salt; `undefined` if it is not one of ours or too expensive. */
export function readRecipe({ salt, scheme }: StoredSalt): Recipe | undefined {
  if (!salt.startsWith(PREFIX)) {
    const isTaken = (scheme === 'peppered' || scheme === 'raw') && BCRYPT_SALT.test(salt);
    return isTaken ? { kind: 'bcrypt', salt, wraps: undefined } : undefined;
  }
  if (!salt.endsWith('$')) return undefined;
  const [, , , ...parts] = salt.slice(0, -1).split('$');
  if (scheme === 'raw') return undefined;
  if (scheme === 'foreign') return derivedBy(parts, undefined);
  if (scheme === 'peppered') return ourOwn(derivedBy(parts, undefined));
  const [how = '', foreign = '', ...own] = parts;
  const wraps = readHow(how, foreign);
  if (wraps === undefined) return undefined;
  if (own.length === 2) return ourOwn(derivedBy(own, wraps));
  const bcryptSalt = `$${own.join('$')}`;
  return BCRYPT_SALT.test(bcryptSalt) ? { kind: 'bcrypt', salt: bcryptSalt, wraps } : undefined;
}

export function isDigest(recipe: Recipe, digest: string): boolean {
  return recipe.kind === 'bcrypt' ? BCRYPT_DIGEST.test(digest) : /^[\w-]{20,200}$/.test(digest);
}

function derivedBy(parts: readonly string[], wraps: FastDigest | undefined): Recipe | undefined {
  const [head = '', salt = ''] = parts;
  const derivation = parts.length === 2 ? readDerivation(head, salt) : undefined;
  return derivation && { kind: 'derived', derivation, wraps };
}

/** An attacker who can write hashes must not make us spend more on one than our own limits allow. */
function ourOwn(recipe: Recipe | undefined): Recipe | undefined {
  return recipe?.kind === 'derived' && canBeOurs(recipe.derivation) ? recipe : undefined;
}

function readHow(how: string, salt: string): FastDigest | undefined {
  const [, algorithm, saltPosition] = /^(md5|sha1|sha256|sha512)-(prefix|suffix)$/.exec(how) ?? [];
  if (algorithm === undefined || saltPosition === undefined) return undefined;
  const read = { algorithm, saltPosition } as Pick<FastDigest, 'algorithm' | 'saltPosition'>; // as matched
  return { ...read, salt: Buffer.from(salt, 'base64url').toString() };
}

function digitsOf(number: number): string {
  return String(number).padStart(2, '0');
}
