import { createHash, createHmac } from 'node:crypto';
import type { PasswordScheme } from '@gatehouse/schema';
import { bcryptCostLike } from './derivation.ts';
import { createEvenTime, type EvenTime, type HighestCosts } from './even-time.ts';
import type { FastDigest, ForeignReading } from './foreign/reading.ts';
import type { createOwnHash } from './own-hash.ts';
import type { PoolView } from './password-pool.ts';
import { foreignSalt, ownSalt, splitHash, wrappedHash } from './stored-password.ts';
import type { Recipe, StoredPassword } from './stored-password.ts';

export type PasswordTexts = ReturnType<typeof createPasswordTexts>;

/** The text that is hashed for a password, and the key that seals imported digests. */
export function createPasswordTexts(pepper: string) {
  const keyed = (text: string | Uint8Array) => createHmac('sha384', pepper).update(text).digest('base64');
  const own = (password: string): string => keyed(password.normalize('NFC'));
  // The NUL byte separates them from passwords, which contain none.
  const ofFastDigest = (digest: Uint8Array): string => keyed(Buffer.concat([Buffer.from([0]), digest]));
  return {
    own,
    ofFastDigest,
    /** The input of the hash by a recipe. */
    textFor(password: string, { wraps }: Recipe, scheme: PasswordScheme): string {
      if (wraps !== undefined) return ofFastDigest(fastDigest(password, wraps));
      return scheme === 'peppered' ? own(password) : password;
    },
    /** Digests of imported slow hashes are stored as their HMAC under this key. */
    sealKey: createHmac('sha256', pepper).update('foreign').digest(),
  };
}

function fastDigest(password: string, { algorithm, salt, saltPosition }: FastDigest): Uint8Array {
  const text = saltPosition === 'prefix' ? `${salt}${password}` : `${password}${salt}`;
  return createHash(algorithm).update(text).digest();
}

/** A parsed password of another system that can be stored. */
export type Adoptable = Exclude<ForeignReading, { kind: 'fault' }>;

type OwnHash = ReturnType<typeof createOwnHash>;

/** Used to measure the speed of bcrypt when nothing else was hashed. */
const MEASURED_COST = 8;
const MEASURED_HASH = `$2b$08$${'Gatehouse.'.repeat(6).slice(0, 53)}`;

interface Parts {
  own: OwnHash;
  pool: PoolView;
  texts: PasswordTexts;
  /** Shared by all hashers, as it learns how fast the threads are. */
  evenTime: EvenTime;
}

export function openEvenTime(own: OwnHash, pool: PoolView): EvenTime {
  return createEvenTime(own, async () => {
    const { milliseconds } = await pool.compare('', MEASURED_HASH);
    return [milliseconds, MEASURED_COST];
  });
}

/** Hashes and compares on the worker threads, by any recipe. */
export function createHasher({ own, pool, texts, evenTime }: Parts) {
  /** Hashes a text with our own settings. */
  async function hash(text: string): Promise<string> {
    const derivation = own.newRecipe();
    if (derivation === undefined) return pool.hash(text, own.cost);
    const { result } = await pool.derive({ text, derivation, sealKey: undefined, isCurrent: true });
    return `${ownSalt(derivation)}${result}`;
  }

  return {
    hash,
    requirePlace: pool.requirePlace,
    compare: createComparison({ own, pool, texts, evenTime }),

    /** Converts a password of another system to what is stored; only a fast digest needs the time of a hash. */
    async adopt(reading: Adoptable): Promise<StoredPassword> {
      if (reading.kind === 'raw') return { hash: reading.hash, scheme: 'raw' };
      if (reading.kind === 'fast') {
        const made = await hash(texts.ofFastDigest(reading.digest));
        return { hash: wrappedHash(reading.fast, made), scheme: 'wrapped' };
      }
      const sealed = createHmac('sha256', texts.sealKey).update(reading.digest).digest('base64url');
      return { hash: `${foreignSalt(reading.derivation)}${sealed}`, scheme: 'foreign' };
    },
  };
}

/** The job that derives the stored value by this recipe. */
function workOf(
  { own, texts }: { own: OwnHash; texts: PasswordTexts },
  recipe: Extract<Recipe, { kind: 'derived' }>,
  scheme: PasswordScheme,
) {
  const sealKey = scheme === 'foreign' ? texts.sealKey : undefined;
  return { derivation: recipe.derivation, sealKey, isCurrent: own.isCurrent(recipe) };
}

/** Compares; a wrong password takes equally long for every account. */
function createComparison({ own, pool, texts, evenTime }: Parts) {
  return async (
    password: string,
    recipe: Recipe,
    { hash, scheme }: StoredPassword,
    highestCosts?: HighestCosts,
  ): Promise<boolean> => {
    const text = texts.textFor(password, recipe, scheme);
    const [, expected] = splitHash(hash);
    const { isRight, milliseconds } =
      recipe.kind === 'bcrypt'
        ? await pool.compare(text, `${recipe.salt}${expected}`, own.work)
        : await pool.derive({
            ...{ text, ...workOf({ own, texts }, recipe, scheme) },
            compared: { expected, units: 2 ** bcryptCostLike(recipe.derivation), own: own.work },
          });
    if (recipe.kind === 'bcrypt' && own.work.derivation === undefined) {
      const cost = Number(recipe.salt.slice(4, 6));
      evenTime.note(milliseconds, isRight ? cost : Math.max(own.cost, cost));
    }
    if (!isRight) await evenTime.wait(performance.now() - milliseconds, highestCosts);
    return isRight;
  };
}
