import type { Bench } from './row.ts';
import { startSystem, type System } from './system/system.ts';

const USERS = 200;
const PRODUCTION_COST = 10;

/** Opens what rows share, and returns how to close it. */
export function openBench({ signal, sizes, say }: Pick<Bench, 'signal' | 'sizes' | 'say'>) {
  const shared: (() => unknown)[] = [];
  const ofRow: (() => unknown)[] = [];
  let system: Promise<System> | undefined;

  const start = async (): Promise<System> => {
    say('  starting the system with throw-away servers (half a minute or so)');
    const started = await startSystem({ signal, bcryptCost: PRODUCTION_COST, users: USERS, others: USERS });
    shared.push(() => started.stop());
    return started;
  };
  const bench: Bench = {
    signal,
    sizes,
    say,
    system: () => (system ??= start()),
    ownSystem: async (options) => {
      const started = await startSystem({ signal, ...options });
      ofRow.push(() => started.stop());
      return started;
    },
    onEnd: (step) => void ofRow.push(step),
  };
  return { bench, endRow: () => undo(ofRow), close: () => undo(shared) };
}

async function undo(steps: (() => unknown)[]): Promise<void> {
  for (const step of steps.splice(0).toReversed()) await step();
}
