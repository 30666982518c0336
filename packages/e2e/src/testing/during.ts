/**
 * What the tests of a `describe` use: it is started before them, and stopped after them. Outside of tests and hooks it
 * has nothing yet.
 */
export function during<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let running: T | undefined;
  before(async () => {
    running = await start();
  });
  after(() => running?.stop());
  return new Proxy({} as T, {
    get: (_, name) => (running === undefined ? undefined : Reflect.get(running, name)),
  });
}
