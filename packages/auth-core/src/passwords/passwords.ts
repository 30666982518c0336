import { availableParallelism } from 'node:os';
import type { Log, Tracing } from '@gatehouse/runtime';
import { bcryptCostLike, takesPassword } from './derivation.ts';
import { createHasher, createOwnHash, createPasswordTexts, openEvenTime } from './hasher.ts';
import type { Adoptable, HashSettings, HighestCosts, PasswordTexts } from './hasher.ts';
import { createPasswordPool } from './password-pool.ts';
import { isDigest, readRecipe, splitHash, type Recipe, type StoredPassword } from './stored-password.ts';

export type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'like_email' | 'malformed';

export type Passwords = ReturnType<typeof createPasswords>;

/** In code points after NFC normalization. */
const LENGTH_MAX = 256;
/** In UTF-16 units as typed: enough for 256 code points, however they are composed. */
const UNITS_MAX = 6 * LENGTH_MAX;
/** The number of bytes of a password that bcrypt reads. */
const BCRYPT_BYTES = 72;

/**
 * Checks, hashes and verifies passwords: bcrypt or argon2id over base64(HMAC-SHA-384(pepper, password)). That has 64
 * characters without NUL, so the whole password counts (bcrypt reads 72 bytes, up to a NUL), and nobody can try
 * passwords with only the database. Imported hashes are verified with their own algorithm (docs/passwords.md).
 *
 * Hashes are computed on `threads` worker threads (0: one per core) behind a bounded queue: `hash`, `verify` and
 * `verifyNothing` throw `Unavailable` when it is full or too slow. The default of `queueMax` is what `threads` finish
 * in about 2 s at the given cost.
 *
 * A wrong password takes as long as the most expensive stored hash, whatever hash it was compared with, if any:
 * imported hashes have different costs, and the time would reveal who has one. Up to our own cost the difference is
 * made up by work. Beyond it, until the owners of such hashes have logged in, it is made up by waiting, for at most
 * 1.9 s.
 *
 * @throws {ConfigError} for a cost outside of the limits.
 */
export function createPasswords(
  options: HashSettings & {
    pepper: string;
    threads: number;
    minLength: number;
    queueMax?: number;
    niceness?: number | undefined;
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
  const evenTime = openEvenTime(own, pool.from(undefined));
  const dummy: StoredPassword = { hash: own.dummyHash, scheme: 'peppered' };
  const from = (addressGroup: string | undefined) =>
    createPasswordsOf(createHasher({ own, texts, evenTime, pool: pool.from(addressGroup) }), texts, dummy);

  return {
    /** Hashes for the installation itself … */
    ...from(undefined),
    /** … or for a client of this address group, which has only its share of the threads when others need them, too. */
    from,

    /** Loads argon2 if our hashes need it, before the first login. @throws {ConfigError} if it is not available. */
    prepare: async (): Promise<void> => {
      if (own.work.derivation !== undefined) await pool.prepare();
    },

    /** Why a new password is refused for the account with this normalized email, if it is. */
    check: (password: string, email: string) => fault(password, email, options.minLength),

    /** The number of fast digests that can be adopted one after the other within about half a second. */
    adoptedAtOnce: Math.max(1, Math.min(64, 2 ** (13 - own.cost))),

    /**
     * Whether a password that was just verified should be hashed again, because its hash differs from what we would store
     * today. If the password is longer than bcrypt reads, its end may have been mistyped, so the hash stays.
     */
    isRenewable(password: string, stored: StoredPassword): boolean {
      if (stored.scheme === 'raw') return Buffer.byteLength(password) <= BCRYPT_BYTES;
      const recipe = recipeOf(stored);
      return stored.scheme !== 'peppered' || recipe === undefined || !own.isCurrent(recipe);
    },

    /**
     * The bcrypt cost, rounded up, of an imported hash that makes every wrong password take longer than our own hashes do;
     * `undefined` if it does not. `isEvenTime`: whether that is so for all formats, and not only for bcrypt.
     */
    slowCost(reading: Adoptable, isEvenTime: boolean): number | undefined {
      if (reading.kind === 'fast' || (reading.kind === 'derived' && !isEvenTime)) return undefined;
      const cost =
        reading.kind === 'raw' ? Number(reading.hash.slice(4, 6)) : bcryptCostLike(reading.derivation);
      return cost > own.cost ? Math.ceil(cost) : undefined;
    },

    load: () => pool.load(),

    /** Ends the threads; running jobs fail. */
    close: (): Promise<void> => pool.close(),
  };
}

function createPasswordsOf(
  hasher: ReturnType<typeof createHasher>,
  texts: PasswordTexts,
  dummy: StoredPassword,
) {
  const verifyNothing = async (password: string, highestCosts?: HighestCosts): Promise<false> => {
    const recipe = recipeOf(dummy);
    const compared = isUsable(password) ? password : '';
    if (recipe !== undefined) await hasher.compare(compared, recipe, dummy, highestCosts);
    return false;
  };

  return {
    /**
     * Call it before the work that precedes hashing. Clients without a place in the queue are refused together, once a second and by
     * one timer: if they were refused at once and tried again at once, this would take the processor time of the threads,
     * which have a lower priority, and so delay everybody.
     *
     * @throws {Unavailable} if the client has no place in the queue.
     */
    requirePlace: hasher.requirePlace,

    /** The hash to store, with scheme `peppered`, for a password that passed `check`. */
    hash: (password: string): Promise<string> => hasher.hash(texts.own(password)),

    /** Converts a password of another system to what is stored; only a fast digest needs the time of a hash. */
    adopt: hasher.adopt,

    async verify(password: string, stored: StoredPassword, highestCosts?: HighestCosts): Promise<boolean> {
      const recipe = recipeOf(stored);
      if (recipe === undefined || !canBe(password, recipe)) return verifyNothing(password, highestCosts);
      return hasher.compare(password, recipe, stored, highestCosts);
    },

    /** Does the work of `verify` for an account without a password, so that the time is the same. */
    verifyNothing,
  };
}

/** Whether a password can match a hash of this recipe. An empty one never does, whatever was imported. */
function canBe(password: string, recipe: Recipe): boolean {
  if (password === '' || !isUsable(password)) return false;
  return recipe.kind === 'bcrypt' || takesPassword(recipe.derivation, password);
}

function recipeOf({ hash, scheme }: StoredPassword): Recipe | undefined {
  const [salt, digest] = splitHash(hash);
  const recipe = readRecipe({ salt, scheme });
  return recipe !== undefined && isDigest(recipe, digest) ? recipe : undefined;
}

async function fault(password: string, email: string, minLength: number): Promise<PasswordFault | undefined> {
  if (password.length > UNITS_MAX) return 'too_long';
  if (!isUsable(password)) return 'malformed';
  const text = password.normalize('NFC');
  const length = Array.from(text).length;
  if (length < minLength) return 'too_short';
  if (length > LENGTH_MAX) return 'too_long';
  const folded = text.toLowerCase();
  const address = email.normalize('NFC').toLowerCase();
  if (folded === address || folded === address.slice(0, address.lastIndexOf('@'))) return 'like_email';
  // Loaded when somebody chooses a password: unpacking the list takes too long for every start.
  const { isCommonPassword } = await import('./common-passwords.ts');
  return isCommonPassword(text) ? 'too_common' : undefined;
}

/**
 * Whether a text can be a password. All lone surrogates have the same hash, as U+FFFD; other systems end a text at NUL;
 * and normalizing a long run of combining marks takes quadratic time.
 */
function isUsable(password: string): boolean {
  return password.length <= UNITS_MAX && password.isWellFormed() && !password.includes('\0');
}
