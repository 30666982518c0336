import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, type Log } from '@gatehouse/runtime';
import { isCommonPassword } from './common-passwords.ts';
import { createHashPace } from './hash-pace.ts';
import { createPasswordPool } from './password-pool.ts';

/** A stored password; `raw` is a bcrypt hash of the plain password, imported from elsewhere. */
export interface StoredPassword {
  hash: string;
  scheme: 'peppered' | 'raw';
}

/** The salt and cost of a stored password: the first 29 characters of its hash. */
export interface StoredSalt {
  salt: string;
  scheme: StoredPassword['scheme'];
}

/** Why a password may not be chosen. */
export type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'like_email' | 'malformed';

export type Passwords = ReturnType<typeof createPasswords>;

/** In code points after NFC. */
const LENGTH_MAX = 256;
/** In UTF-16 units as typed: ample for 256 code points however they are composed. */
const UNITS_MAX = 6 * LENGTH_MAX;
/** A comparison at a higher cost would occupy a thread for seconds to days; imported hashes bring their own cost. */
const COST_MAX = 14;
/** With a turn that came late, still within what a request may take. */
const EVENED_MS_MAX = 1900;
/** What bcrypt reads of a password. */
const BCRYPT_BYTES = 72;

/** The highest cost of any stored hash, `undefined` without any. */
export type HighestCost = () => Promise<number | undefined>;

/**
 * Checks, hashes and verifies passwords: bcrypt over base64(HMAC-SHA-384(pepper, password)), which is 64 characters
 * without NUL, so that the whole password counts (bcrypt reads 72 bytes, up to a NUL) and nobody can try passwords
 * with the database alone.
 *
 * bcrypt runs on `threads` worker threads (0: as many as cores) behind a bounded queue: `hash`, `verify` and
 * `verifyNothing` throw `Unavailable` when it is full or too slow. By default `queueMax` is what `threads` finish in
 * about 2 s at the given cost.
 *
 * A wrong password is answered after the time of the most expensive stored hash, whatever hash it was compared with, if any:
 * imported hashes have costs of their own, and the time would reveal who has one. Up to our own cost the difference
 * is made up by work; beyond it, until the owners of such hashes have logged in, by waiting, for 1.9 s at most.
 *
 * @throws {ConfigError} for a cost outside of 4 to 14.
 */
export function createPasswords(options: {
  pepper: string;
  cost: number;
  threads: number;
  minLength: number;
  queueMax?: number;
  log: Log;
}) {
  const { pepper, cost, minLength } = options;
  if (!isPayable(cost)) throw new ConfigError(`the bcrypt cost must be 4 to ${COST_MAX}`);
  const pool = createPasswordPool({ ...options, threads: options.threads || availableParallelism() });
  const pace = createHashPace();
  const dummyHash = `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(6).slice(0, 53)}`;
  const prehash = (password: string): string =>
    createHmac('sha384', pepper).update(password.normalize('NFC')).digest('base64');

  async function compare(text: string, hash: string, highestCost?: HighestCost): Promise<boolean> {
    const { isRight, milliseconds } = await pool.compare(text, hash);
    const begun = performance.now() - milliseconds;
    pace.note(milliseconds, isRight ? costOf(hash) : Math.max(cost, costOf(hash)));
    const highest = isRight ? undefined : await highestCost?.();
    const isHigher = highest !== undefined && highest > cost;
    if (isHigher)
      await waitUntil(begun + Math.min(pace.expectedMs(Math.min(highest, COST_MAX)), EVENED_MS_MAX));
    return isRight;
  }

  const verifyNothing = async (password: string, highestCost?: HighestCost): Promise<false> => {
    await compare(prehash(isUsable(password) ? password : ''), dummyHash, highestCost);
    return false;
  };

  return {
    /** What is wrong with a password that somebody chose for the account with this normalised email. */
    check: (password: string, email: string): PasswordFault | undefined => fault(password, email, minLength),

    /** The hash to store, with scheme `peppered`, for a password that passed `check`. */
    hash: (password: string): Promise<string> => pool.hash(prehash(password)),

    /** Whether it is the stored password. An empty one never is, whatever hash was imported. */
    async verify(password: string, stored: StoredPassword, highestCost?: HighestCost): Promise<boolean> {
      if (password === '' || !isUsable(password) || !isComparable(stored.hash)) {
        return verifyNothing(password, highestCost);
      }
      const text = stored.scheme === 'peppered' ? prehash(password) : password;
      return compare(text, stored.hash, highestCost);
    },

    /**
     * The hash of this password with the salt and cost of the stored one, for callers that cannot read the stored
     * hash and have it compared. `undefined` for anything that is no account’s password, after the work of a
     * comparison.
     */
    async prove(password: string, stored: StoredSalt): Promise<string | undefined> {
      if (password === '' || !isUsable(password) || !isPayableSalt(stored.salt)) {
        await verifyNothing(password);
        return undefined;
      }
      return pool.hashWith(stored.scheme === 'peppered' ? prehash(password) : password, stored.salt);
    },

    /** The work of `verify` for an account without a password, so that the time does not distinguish them. */
    verifyNothing,

    /**
     * Whether a password that was just found to be right should be stored again, as its hash differs from what we
     * would store today. If the password is longer than bcrypt reads, its end may have been mistyped: it stays.
     */
    isRenewable(password: string, stored: StoredPassword): boolean {
      if (stored.scheme === 'raw') return Buffer.byteLength(password) <= BCRYPT_BYTES;
      return costOf(stored.hash) !== cost;
    },

    /** How many passwords are worked on, and how many wait for a thread. */
    load: () => pool.load(),

    /** Ends the threads; jobs under way fail. */
    close: (): Promise<void> => pool.close(),
  };
}

function fault(password: string, email: string, minLength: number): PasswordFault | undefined {
  if (password.length > UNITS_MAX) return 'too_long';
  if (!isUsable(password)) return 'malformed';
  const text = password.normalize('NFC');
  const length = Array.from(text).length;
  if (length < minLength) return 'too_short';
  if (length > LENGTH_MAX) return 'too_long';
  const folded = text.toLowerCase();
  const address = email.normalize('NFC').toLowerCase();
  if (folded === address || folded === address.slice(0, address.lastIndexOf('@'))) return 'like_email';
  return isCommonPassword(text) ? 'too_common' : undefined;
}

/**
 * Whether a text can be a password. All lone surrogates are hashed alike, as U+FFFD; other systems end a text at NUL;
 * and normalising a long run of combining marks takes quadratic time.
 */
function isUsable(password: string): boolean {
  return password.length <= UNITS_MAX && password.isWellFormed() && !password.includes('\0');
}

/** Whether a hash is bcrypt's, at a cost that we are willing to pay. */
function isComparable(hash: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash) && isPayable(costOf(hash));
}

function isPayableSalt(salt: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{22}$/.test(salt) && isPayable(costOf(salt));
}

async function waitUntil(time: number): Promise<void> {
  const milliseconds = time - performance.now();
  if (milliseconds > 0) await sleep(milliseconds);
}

function isPayable(cost: number): boolean {
  return Number.isInteger(cost) && cost >= 4 && cost <= COST_MAX;
}

function costOf(hash: string): number {
  return Number(hash.slice(4, 6));
}
