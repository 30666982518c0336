import { randomBytes } from 'node:crypto';
import { ConfigError } from '@gatehouse/runtime';
import { bcryptCostLike, canBeOurs, OWN_DIGEST_BYTES, type Derivation } from './derivation.ts';
import type { OwnWork } from './password-pool.ts';
import { ownCost, ownSalt, type Recipe } from './stored-password.ts';

export interface HashSettings {
  /** bcrypt by default. */
  algorithm?: 'bcrypt' | 'argon2id';
  /** The cost of bcrypt. */
  cost: number;
  /** The memory of argon2id. */
  memoryKib?: number;
  passes?: number;
}

/** A comparison at a higher cost would occupy a thread for seconds to days; imported hashes bring their own cost. */
const COST_MAX = 14;
const SALT_BYTES = 16;

/**
 * The parameters of our own hashes, derived once from the settings.
 *
 * @throws {ConfigError} for a cost outside of the limits.
 */
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
