import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@gatehouse/runtime';
import type { PasswordScheme } from '@gatehouse/schema';
import { bcryptCostLike, canBeOurs, OWN_DIGEST_BYTES, type Derivation } from './derivation.ts';
import type { FastDigest, ForeignReading } from './foreign/formats.ts';
import type { OwnWork, PoolView } from './password-pool.ts';
import { costOfClass, foreignSalt, ownCost, ownSalt, splitHash, wrappedHash } from './stored-password.ts';
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

export function createHasher({ own, pool, texts, evenTime }: Parts) {
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
            text,
            derivation: recipe.derivation,
            sealKey: scheme === 'foreign' ? texts.sealKey : undefined,
            isCurrent: own.isCurrent(recipe),
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

export interface HashSettings {
  /** bcrypt by default. */
  algorithm?: 'bcrypt' | 'argon2id';
  /** The cost of bcrypt. */
  cost: number;
  memoryKib?: number;
  passes?: number;
}

/** A comparison at a higher cost would occupy a thread for seconds to days; imported hashes bring their own cost. */
const COST_MAX = 14;
const SALT_BYTES = 16;

/** The parameters of our own hashes. @throws {ConfigError} for a cost outside of the limits. */
export function createOwnHash({ algorithm = 'bcrypt', cost, memoryKib = 19_456, passes = 2 }: HashSettings) {
  if (!Number.isInteger(cost) || cost < 4 || cost > COST_MAX)
    throw new ConfigError(`the bcrypt cost must be 4 to ${COST_MAX}`);
  const withSalt = (salt: Uint8Array): Derivation => ({
    algorithm: 'argon2id',
    numbers: [19, memoryKib, passes, 1, OWN_DIGEST_BYTES],
    salt,
  });
  const dummy = withSalt(Buffer.alloc(SALT_BYTES, 'Gatehouse'));
  if (!canBeOurs(dummy)) throw new ConfigError('argon2id must take 1 to 256 MiB and 1 to 10 passes');
  if (algorithm === 'bcrypt') {
    const digits = String(cost).padStart(2, '0');
    return {
      cost,
      work: { units: 2 ** cost, derivation: undefined } satisfies OwnWork,
      /** The recipe of a new hash; `undefined` for bcrypt, which creates its own salt. */
      newRecipe: (): undefined => undefined,
      /** Whether a stored hash has the parameters of a new one. */
      isCurrent: (recipe: Recipe): boolean => recipe.kind === 'bcrypt' && recipe.salt.slice(4, 6) === digits,
      /** Compared with if an account has no password. */
      dummyHash: `$2b$${digits}$${'Gatehouse.'.repeat(6).slice(0, 53)}`,
    };
  }
  return {
    cost: ownCost(dummy),
    work: { units: 2 ** bcryptCostLike(dummy), derivation: dummy } satisfies OwnWork,
    newRecipe: (): Derivation => withSalt(randomBytes(SALT_BYTES)),
    isCurrent: (recipe: Recipe) =>
      recipe.kind === 'derived' &&
      recipe.derivation.algorithm === 'argon2id' &&
      String(recipe.derivation.numbers) === String(dummy.numbers),
    dummyHash: `${ownSalt(dummy)}${'Gatehouse-'.repeat(5).slice(0, 43)}`,
  };
}

/** Leaves enough of a request's time limit if a timer fires late. */
const EVENED_MS_MAX = 1900;
/** The number of latest hashes from which the current speed is estimated. */
const SAMPLES_MAX = 16;
/** The next hash may take this much longer than the slowest of them. */
const HEADROOM = 1.25;
/** Older samples do not show the current speed. */
const FRESH_MS = 60_000;

/** The highest costs among the stored hashes (`costOfClass`), one for each scale: they cannot be compared. */
export type HighestCosts = () => Promise<readonly number[]>;

type EvenTime = ReturnType<typeof createEvenTime>;

/**
 * Makes wrong passwords take as long as the most expensive stored hash, if that is more expensive than our own. It
 * waits, as doing the work would cost too much (docs/decisions/0026-even-logins.md). `measure` hashes once with bcrypt
 * and records how long that took.
 */
export function createEvenTime(
  own: { cost: number },
  measure: () => Promise<[milliseconds: number, cost: number]>,
) {
  /** Milliseconds of bcrypt at cost 0 on this machine; each higher cost takes twice as long. */
  const samples: number[] = [];
  let notedAt = -Infinity;

  function note(milliseconds: number, cost: number): void {
    samples.push(milliseconds / 2 ** cost);
    if (samples.length > SAMPLES_MAX) samples.shift();
    notedAt = performance.now();
  }

  return {
    note,

    /** Waits until the response to a wrong password, whose check began at `begun`, may be sent. */
    async wait(begun: number, highestCosts: HighestCosts | undefined): Promise<void> {
      const highest = Math.max(0, ...((await highestCosts?.()) ?? []).map(costOfClass));
      if (highest <= own.cost) return;
      if (performance.now() - notedAt >= FRESH_MS) note(...(await measure()));
      const expectedMs = Math.max(0, ...samples) * 2 ** highest * HEADROOM;
      const left = begun + Math.min(expectedMs, EVENED_MS_MAX) - performance.now();
      if (left > 0) await sleep(left);
    },
  };
}
