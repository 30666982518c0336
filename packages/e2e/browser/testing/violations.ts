import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified, so that each page loads less than half as much. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules to apply besides axe's default ones, and rules of those to leave out. */
interface Rules {
  with?: readonly string[];
  without?: readonly string[];
}

/** Fails if axe finds accessibility violations on the page as it is now. */
export async function expectNoViolations(page: Page, rules: Rules = {}): Promise<void> {
  await loadAxe(page);
  const enabled = (ids: readonly string[] = [], isEnabled: boolean) =>
    Object.fromEntries(ids.map((id) => [id, { enabled: isEnabled }]));
  // Passed rules are not described in detail, which saves most of the time.
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Frames are sandboxed, and contain no part of the page.
    iframes: false,
    rules: { ...enabled(rules.with, true), ...enabled(rules.without, false) },
  });
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${options}).then(({ violations }) => ({ violations }))`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
  if (found.length > 0) throw violationsOn(page, found);
}

/**
 * Loads axe into the page, unless it is there. It is evaluated as text in the page itself, whose policy is not changed:
 * evaluation by the debugger is not bound by it.
 */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
}

export function violationsOn(page: Page, found: readonly string[]): Error {
  return new Error(`axe finds on ${new URL(page.url()).pathname}:\n${found.join('\n')}`);
}

/** Fails if the page is wider than its window, so that people have to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  if (content > window)
    throw new Error(`${new URL(page.url()).pathname} is ${content} px wide in a window of ${window} px`);
}
