import { availableParallelism } from 'node:os';
import type { Log, Tracing } from '@gatehouse/runtime';
import { isCommonPassword } from './common-passwords.ts';
import { takesPassword } from './derivation.ts';
import type { HighestCosts } from './even-time.ts';
import { createHasher } from './hasher.ts';
import { createOwnHash, type HashSettings } from './own-hash.ts';
import { createPasswordPool } from './password-pool.ts';
import { createPasswordTexts } from './password-texts.ts';
import {
  isDigest,
  readRecipe,
  splitHash,
  type Recipe,
  type StoredPassword,
  type StoredSalt,
} from './stored-password.ts';

/** Why a password may not be chosen. */
export type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'like_email' | 'malformed';

export type Passwords = ReturnType<typeof createPasswords>;

/** In code points after NFC. */
const LENGTH_MAX = 256;
/** In UTF-16 units as typed: ample for 256 code points however they are composed. */
const UNITS_MAX = 6 * LENGTH_MAX;
/** What bcrypt reads of a password. */
const BCRYPT_BYTES = 72;

/**
 * Checks, hashes and verifies passwords: bcrypt or argon2id over base64(HMAC-SHA-384(pepper, password)), which is 64
 * characters without NUL, so that the whole password counts (bcrypt reads 72 bytes, up to a NUL) and nobody can try
 * passwords with the database alone. Imported hashes are verified as they were made (docs/passwords.md).
 *
 * Hashes are made on `threads` worker threads (0: as many as cores) behind a bounded queue: `hash`, `verify` and
 * `verifyNothing` throw `Unavailable` when it is full or too slow. By default `queueMax` is what `threads` finish in
 * about 2 s at the given cost.
 *
 * A wrong password is answered after the time of the most expensive stored hash, whatever hash it was compared with, if any:
 * imported hashes have costs of their own, and the time would reveal who has one. Up to our own cost the difference
 * is made up by work; beyond it, until the owners of such hashes have logged in, by waiting, for 1.9 s at most.
 *
 * @throws {ConfigError} for a cost that nobody can pay.
 */
export function createPasswords(
  options: HashSettings & {
    pepper: string;
    threads: number;
    minLength: number;
    queueMax?: number;
    log: Log;
    tracing?: Tracing | undefined;
  },
) {
  const own = createOwnHash(options);
  const pool = createPasswordPool({
    ...options,
    cost: own.cost,
    threads: options.threads || availableParallelism(),
  });
  const texts = createPasswordTexts(options.pepper);
  const hasher = createHasher({ own, pool, texts });

  const dummy: StoredPassword = { hash: own.dummyHash, scheme: 'peppered' };
  const verifyNothing = async (password: string, highestCosts?: HighestCosts): Promise<false> => {
    const recipe = recipeOf(dummy);
    const compared = isUsable(password) ? password : '';
    if (recipe !== undefined) await hasher.compare(compared, recipe, dummy, highestCosts);
    return false;
  };

  return {
    /**
     * Loads what hashes by our setting need, so that a platform without it is noticed before the first login.
     *
     * @throws {ConfigError} where it cannot be had.
     */
    prepare: async (): Promise<void> => {
      if (own.work.derivation !== undefined) await pool.prepare();
    },

    /** What is wrong with a password that somebody chose for the account with this normalised email. */
    check: (password: string, email: string): PasswordFault | undefined =>
      fault(password, email, options.minLength),

    /** The hash to store, with scheme `peppered`, for a password that passed `check`. */
    hash: (password: string): Promise<string> => hasher.hash(texts.own(password)),

    /** What to store of a password of another system; only a fast digest takes the time of a hash. */
    adopt: hasher.adopt,

    /** How many fast digests are adopted within half a second or so, one after the other. */
    adoptedAtOnce: Math.max(1, Math.min(64, 2 ** (13 - own.cost))),

    /** Whether it is the stored password. */
    async verify(password: string, stored: StoredPassword, highestCosts?: HighestCosts): Promise<boolean> {
      const recipe = recipeOf(stored);
      if (recipe === undefined || !canBe(password, recipe)) return verifyNothing(password, highestCosts);
      return hasher.compare(password, recipe, stored, highestCosts);
    },

    /**
     * The hash of this password with the salt of the stored one, for callers that cannot read the stored hash and have
     * it compared. `undefined` for anything that is no account’s password, after the work of a comparison.
     */
    async prove(password: string, stored: StoredSalt): Promise<string | undefined> {
      const recipe = readRecipe(stored);
      if (recipe === undefined || !canBe(password, recipe)) {
        await verifyNothing(password);
        return undefined;
      }
      return hasher.hashLike(password, recipe, stored);
    },

    /** The work of `verify` for an account without a password, so that the time does not distinguish them. */
    verifyNothing,

    /**
     * Whether a password that was just found to be right should be stored again, as its hash differs from what we
     * would store today. If the password is longer than bcrypt reads, its end may have been mistyped: it stays.
     */
    isRenewable(password: string, stored: StoredPassword): boolean {
      if (stored.scheme === 'raw') return Buffer.byteLength(password) <= BCRYPT_BYTES;
      const recipe = recipeOf(stored);
      return stored.scheme !== 'peppered' || recipe === undefined || !own.isCurrent(recipe);
    },

    /** How many passwords are worked on, and how many wait for a thread. */
    load: () => pool.load(),

    /** Ends the threads; jobs under way fail. */
    close: (): Promise<void> => pool.close(),
  };
}

/** Whether it can be the password of a hash that is made so. An empty one never is, whatever was imported. */
function canBe(password: string, recipe: Recipe): boolean {
  if (password === '' || !isUsable(password)) return false;
  return recipe.kind === 'bcrypt' || takesPassword(recipe.derivation, password);
}

function recipeOf({ hash, scheme }: StoredPassword): Recipe | undefined {
  const [salt, digest] = splitHash(hash);
  const recipe = readRecipe({ salt, scheme });
  return recipe !== undefined && isDigest(recipe, digest) ? recipe : undefined;
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
