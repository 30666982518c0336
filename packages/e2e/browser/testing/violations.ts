import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified, so that each page loads less than half as much. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails if axe finds accessibility violations on the page as it is now. `rules`: checks only these. */
export async function expectNoViolations(page: Page, rules?: readonly string[]): Promise<void> {
  // Evaluated as text in the page itself. The page's policy is not changed, because evaluation by the debugger is not
  // bound by it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  // Passed rules are not described in detail, which saves most of the time.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
  if (found.length > 0) throw new Error(`axe finds on ${new URL(page.url()).pathname}:\n${found.join('\n')}`);
}

/** Fails if the page is wider than its window, so that people have to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  if (content > window) {
    throw new Error(`${new URL(page.url()).pathname} is ${content} px wide in a window of ${window} px`);
  }
}
