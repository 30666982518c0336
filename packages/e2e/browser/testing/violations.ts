import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified: less than half as much for every page to read. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails with what axe finds wrong with the page as it is now: for people who read with their ears, with keys or with weak eyes. `rules`: those alone. */
export async function expectNoViolations(page: Page, rules?: readonly string[]): Promise<void> {
  // As text, in the page's own world: the page's policy stays as it is, since the debugger's evaluation is not bound by it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  // What passed is not described in detail, which is most of the work.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
  if (found.length > 0) throw new Error(`axe finds on ${new URL(page.url()).pathname}:\n${found.join('\n')}`);
}

/** Fails when the page is wider than its window, so that people must scroll sideways to read it. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  if (content > window) {
    throw new Error(`${new URL(page.url()).pathname} is ${content} px wide in a window of ${window} px`);
  }
}
