import type { RequestListener } from 'node:http';
import { during, serve } from '@gatehouse/runtime/testing';
import { openTestConsole, type TestConsole } from './console.ts';
import { startSite, type Site } from './site.ts';

type Settings = Record<string, string>;

/** How long a test may take: much longer than it does, because a busy machine is no mistake. */
const TEST_MS_MAX = 180_000;

/**
 * A site and its console for the tests of a `describe`: those that all files of this worker share, whose tests rely on
 * nothing but their own people. With `settings`, even empty ones, they have one alone. Settings that are only known
 * after an earlier `before` are given by a function.
 */
export function cast(settings?: Settings | (() => Settings), options?: { demo: boolean }) {
  let site: Site;
  let admin: TestConsole;
  before(async function () {
    this.timeout(TEST_MS_MAX);
    site = await startSite(typeof settings === 'function' ? settings() : settings, options);
    admin = await openTestConsole(site);
  });
  beforeEach(function () {
    this.currentTest?.timeout(TEST_MS_MAX);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());
  return { site: later(() => site), admin: later(() => admin) };
}

/** What `current` returns, under a name that tests can have before it exists. */
function later<T extends object>(current: () => T): T {
  // Nothing is read of the target itself: `current` has all properties.
  return new Proxy({} as T, { get: (_, name): unknown => Reflect.get(current(), name) });
}

/** A server of somebody else for the tests of a `describe`. */
export function otherSite(answer: RequestListener) {
  return during(() => serve(answer));
}
