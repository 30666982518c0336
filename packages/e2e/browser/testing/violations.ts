import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';

/** Minified, so that each page loads less than half as much. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The page of what is shown, once it is. */
export async function pageOf(shown: Page | Locator): Promise<Page> {
  if (!('waitFor' in shown)) return shown;
  await shown.waitFor();
  return shown.page();
}

/**
 * Fails if axe finds violations on the whole page as soon as this is shown. `rules`: what differs from those that axe
 * applies by default.
 */
export async function expectNoViolations(shown: Page | Locator, rules: RunOptions['rules'] = {}) {
  const page = await pageOf(shown);
  // It is evaluated as text in the page itself, whose policy is not changed: evaluation by the debugger is not bound by it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  // Passed rules are not described in detail, which saves most of the time. Frames are sandboxed, and contain no part of
  // the page.
  const options = JSON.stringify({ resultTypes: ['violations'], iframes: false, rules });
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${options}).then(({ violations }) => ({ violations }))`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
  if (found.length > 0) throw new Error(`axe finds ${placeOf(page)}:\n${found.join('\n')}`);
}

/** Fails if the page is wider than its window, so that people have to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  if (content > window) throw new Error(`The content is ${content} px wide ${placeOf(page)}`);
}

function placeOf(page: Page): string {
  return `on ${new URL(page.url()).pathname} in a window of ${page.viewportSize()?.width} px`;
}
