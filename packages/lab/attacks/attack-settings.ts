import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Settings of a developer for the attacks (docs/attacks.md). The seed is a different one each time unless it is set. */
export const { ATTACK_SEED = Date.now() % 2 ** 31, ATTACK_ROUNDS } = readConfig(
  Type.Object({
    ATTACK_SEED: Type.Optional(Type.Integer({ description: 'The seed of an earlier run, to repeat it' })),
    ATTACK_ROUNDS: Type.Integer({ default: 40, minimum: 1, description: 'Requests to each endpoint' }),
  }),
);
