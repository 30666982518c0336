import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from './operations.ts';
import type { Step } from './steps.ts';
import { ask, type Victim, type World } from './world.ts';

/** The maximum of repetitions until the steps of a request are known. */
const LEARN_MAX = 5;

/** A statement on each new connection, whichever request uses it first. */
const ON_CONNECTING = /^select left\(pg_walfile_name\(/;

/** Selects the steps of requests. If `known` is given, only those. */
export function requestSteps(known?: ReadonlySet<string>): (step: Step) => boolean {
  /** Connections with a transaction in which a step of the request was seen. */
  const own = new Set<number>();
  return ({ protocol, connection, text }) => {
    if (protocol !== 'postgres') return protocol === 'redis';
    if (ON_CONNECTING.test(text)) return false;
    if (text.startsWith('BEGIN')) {
      own.delete(connection);
      // Only its first statement shows whose transaction it is. A BEGIN is not a separate step.
      return false;
    }
    // The end of a transaction belongs to the request that began it.
    if (/^(COMMIT|ROLLBACK)/.test(text)) return own.has(connection);
    const isOwn = known?.has(text) !== false;
    if (isOwn) own.add(connection);
    return isOwn;
  };
}

/** The steps of a request that is not interrupted. They are known when two runs in a row are the same. */
export async function learnSteps(world: World, operation: Operation, victim: Victim): Promise<Step[]> {
  let earlier: string[] = [];
  for (let times = 1; ; times += 1) {
    const { path, check, ...given } = await operation.prepare(world);
    const trap = victim.trapper.set(requestSteps());
    const answer = await ask(victim, path, given);
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${operation.name}: ${JSON.stringify(answer)}`);
    const steps = [...trap.done];
    await check({ answer, isCommitted: isCommitted(steps) });
    const statements = statementsOf(steps);
    if (isDeepStrictEqual(statements, earlier)) return steps;
    if (times === LEARN_MAX) assert.deepEqual(statements, earlier, `${operation.name}, done again`);
    earlier = statements;
  }
}

/** The texts of the steps that reach Postgres. */
export function statementsOf(steps: readonly Step[]): string[] {
  return steps.filter(({ protocol }) => protocol === 'postgres').map(({ text }) => text);
}

/** Every operation has at most one transaction. */
export function isCommitted(steps: readonly Step[]): boolean {
  return steps.some(({ text }) => text.startsWith('COMMIT'));
}
