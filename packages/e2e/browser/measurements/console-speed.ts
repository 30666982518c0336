import type { CDPSession, Page } from 'playwright-core';
import { barOf, cast } from '../testing/index.ts';

const ROUNDS = 10;
/** How long a screen must not change to count as complete. */
const QUIET_MS = 400;

interface Timed {
  /** The time until the screen was painted completely, in milliseconds. */
  painted: number;
  /** The part of this time in which at least one API response was pending. */
  awaited: number;
  calls: number;
}

/** Prints how fast the console is with the demo data (`npm run bench:console`). Fails only if nothing is painted. */
describe('how fast the console is', () => {
  const { admin } = cast({}, { demo: true });

  it('first paint of a list, with nothing in the cache', async () => {
    const { page } = await admin.open('/accounts');
    await page.addInitScript(watchScreen);
    const devtools = await page.context().newCDPSession(page);
    for (const path of ['/accounts', '/sessions', '/audit', '']) {
      const times: Timed[] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await open(page, devtools, admin.url(path)));
      say(path === '' ? '/' : path, times);
    }
  });

  it('from screen to screen', async () => {
    const { page } = await admin.open('/accounts');
    await page.addInitScript(watchScreen);
    await page.goto(admin.url('/accounts'));
    await settled(page);
    const links = barOf(page).getByRole('link');
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const times = new Map<string, Timed[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const path of paths) {
        await barOf(page).locator(`a[href="${path}"]`).first().click();
        times.set(path, [...(times.get(path) ?? []), await settled(page)]);
      }
    }
    for (const [path, all] of times) say(path.replace('/console', '') || '/', all);
  });
});

async function open(page: Page, devtools: CDPSession, url: string): Promise<Timed> {
  await devtools.send('Network.clearBrowserCache');
  await page.goto('about:blank');
  await page.goto(url);
  return settled(page);
}

async function settled(page: Page): Promise<Timed> {
  for (;;) {
    await page.waitForTimeout(QUIET_MS);
    const timed = await page.evaluate(readScreen, QUIET_MS);
    if (timed !== undefined) return timed;
  }
}

function say(what: string, times: readonly Timed[]): void {
  const painted = times.map((one) => one.painted);
  const own = times.map((one) => one.painted - one.awaited);
  const calls = Math.max(...times.map((one) => one.calls));
  const cells = [painted, own].map((all) => `${middle(all)} (${Math.round(Math.max(...all))})`);
  process.stdout.write(
    `      ${what.padEnd(14)} painted ${cells[0]?.padEnd(10)} without the API ${cells[1]?.padEnd(10)} ${calls} calls\n`,
  );
}

function middle(all: readonly number[]): number {
  return Math.round(all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0);
}

/** Records when a screen was opened by a navigation or a click, and when it last changed. Runs in the page. */
function watchScreen(): void {
  const noted = { begun: 0, changed: 0 };
  Object.assign(globalThis, { noted });
  addEventListener('click', () => (noted.begun = performance.now()), { capture: true });
  new MutationObserver(() => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => (noted.changed = performance.now()));
      port1.start();
      // This message arrives after the frame that shows the change.
      port2.postMessage(undefined);
    });
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The measurements, once nothing has changed for a while. Runs in the page. */
function readScreen(quietMs: number): Timed | undefined {
  const { noted } = globalThis as unknown as { noted: { begun: number; changed: number } }; // set above
  if (noted.changed <= noted.begun || performance.now() - noted.changed < quietMs) return undefined;
  const asked = performance
    .getEntriesByType('resource')
    .filter((one) => one instanceof PerformanceResourceTiming && one.initiatorType === 'fetch')
    .map(({ startTime, duration }) => ({ from: startTime, to: startTime + duration }))
    .filter(({ from, to }) => from >= noted.begun && to <= noted.changed)
    .toSorted((one, other) => one.from - other.from);
  let awaited = 0;
  let until = 0;
  for (const { from, to } of asked) {
    awaited += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return { painted: noted.changed - noted.begun, awaited, calls: asked.length };
}
