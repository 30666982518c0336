/** What can be ended. */
type Ending = { stop(): Promise<unknown> } | { drop(): Promise<unknown> };

/** What the tests of a `describe` use: it is started before them, and stopped after them. Before that it is empty. */
export function during<T extends Ending>(start: () => Promise<T>): T {
  const used = {} as T;
  before(async () => void Object.assign(used, await start()));
  after(() => ('stop' in used ? used.stop() : 'drop' in used ? used.drop() : undefined));
  return used;
}

/** Ends what a test of this `describe` has started, after that test; the latest first. */
export function endings(): (end: () => unknown) => void {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return (end) => void ends.push(end);
}
