import type { Locator, Page } from 'playwright-core';
import { expectNoSidewaysScroll, expectNoViolations, pageOf } from './violations.ts';

const WIDTHS = [320, 768, 1280] as const;
export const HEIGHTS = { 320: 640, 768: 1024, 1280: 800 };

export interface Layout {
  locale: 'en' | 'de';
  width: (typeof WIDTHS)[number];
  theme?: 'light' | 'dark';
}

/**
 * In which layouts a screen is opened and used. A theme only changes colours, and a language only words, so that each
 * theme is checked in one language. All other tests use 1280 px.
 */
const LAYOUTS = [
  { locale: 'en', width: 320, theme: 'light' },
  { locale: 'de', width: 768, theme: 'dark' },
] as const satisfies Layout[];

/**
 * Defines a test for each language. `use` opens and uses the screen, and calls `check` at each step, which waits for what
 * it is given, and checks the page at every width: resizing it takes less long than opening it.
 */
export function itInEveryLayout(
  title: string,
  use: (layout: Layout, check: (shown: Page | Locator) => Promise<void>) => Promise<void>,
): void {
  for (const layout of LAYOUTS)
    it(`${title}: ${layout.locale}, ${layout.theme}, at every width`, () => use(layout, expectUsable));
}

/** Fails if axe finds violations or the content does not fit into the window, at any width; that is restored. */
async function expectUsable(shown: Page | Locator): Promise<void> {
  const page = await pageOf(shown);
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await resize(page, { width, height: HEIGHTS[width] });
    // A rule of WCAG 2.2 AA that axe does not apply by default. The API reference, which is not ours, does not follow it.
    await expectNoViolations(page, { 'target-size': { enabled: true } });
    await expectNoSidewaysScroll(page);
  }
  if (before !== null) await resize(page, before);
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(untilDrawn);
}

/** Runs in the page. Observers of sizes react after the first frame. */
async function untilDrawn(): Promise<void> {
  for (let frames = 0; frames < 2; frames++)
    await new Promise((resolve) => void requestAnimationFrame(resolve));
}
