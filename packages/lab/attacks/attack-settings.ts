import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Settings of a developer for the attacks (docs/attacks.md). */
const { ATTACK_SEED, ATTACK_ROUNDS } = readConfig(
  Type.Object({
    ATTACK_SEED: Type.Optional(Type.Integer({ description: 'The seed of an earlier run, to repeat it' })),
    ATTACK_ROUNDS: Type.Integer({ default: 40, minimum: 1, description: 'Requests to each endpoint' }),
  }),
);

export { ATTACK_ROUNDS };

/** The seed of this run: the one that is set, or a different one each time. */
export function attackSeed(): number {
  return ATTACK_SEED ?? Date.now() % 2 ** 31;
}
