import type { Page } from 'playwright-core';
import { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';

/** How a page is shown: the language, the width of the window and the theme (light by default). */
export interface Look {
  locale: 'en' | 'de';
  width: 320 | 768 | 1280;
  theme?: 'light' | 'dark';
}

const LOOKS: Look[] = (['en', 'de'] as const).flatMap((locale) =>
  ([320, 768, 1280] as const).map((width) => ({ locale, width })),
);

/**
 * Defines a test for each language and width. The test calls `expectUsable` for each page it opens, which checks both
 * themes.
 */
export function itInEveryLook(title: string, test: (look: Look) => Promise<void>): void {
  for (const look of LOOKS) it(`${title}: ${look.locale}, ${look.width} px, both themes`, () => test(look));
}

/**
 * Fails if the page cannot be used as it is now: if axe finds violations, in both themes, or if the content does not
 * fit into the window.
 */
export async function expectUsable(page: Page): Promise<void> {
  await expectNoViolations(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A theme only changes colours, and the other rules have already been checked. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
