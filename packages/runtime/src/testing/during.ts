import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Ending = { stop(): unknown } | { drop(): unknown } | { close(): unknown };

/**
 * What the tests of a `describe` use: it is started before them, and stopped after them. Before that it is empty. What it
 * computes when asked is computed when a test asks.
 */
export function during<T extends Ending>(start: () => Promise<T>): T {
  return usedBetween(before, after, start);
}

/** As `during`, but each test has its own. */
export function duringEach<T extends Ending>(start: () => Promise<T>): T {
  return usedBetween(beforeEach, afterEach, start);
}

function usedBetween<T extends Ending>(
  begin: typeof beforeEach,
  end: typeof afterEach,
  start: () => Promise<T>,
): T {
  const used = {} as T;
  let running = used;
  begin(async () => void Object.assign(used, (running = await start())));
  end(() => {
    if ('stop' in running) return running.stop();
    if ('drop' in running) return running.drop();
    return 'close' in running ? running.close() : undefined;
  });
  return new Proxy(used, {
    get: (_, name): unknown => {
      const found: unknown = Reflect.get(running, name);
      // A method of a class reads private fields, which only the object itself has.
      return typeof found === 'function' && !Object.hasOwn(running, name) ? found.bind(running) : found;
    },
    set: (_, name, value) => Reflect.set(running, name, value),
  });
}

/** Ends what a test of this `describe` has started, after that test; the latest first. */
export function endings(): (end: () => unknown) => void {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return (end) => void ends.push(end);
}

/** A folder for the tests of a `describe`, which is removed with all that is in it after them. */
export function testFolder(name = 'test-folder-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of its own for each test of a suite. Returns the path of it, or of a file in it. */
export function useFolder(): (name?: string) => string {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (name = '') => join(folder, name);
}
