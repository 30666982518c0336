import type { Page } from 'playwright-core';
import { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';

/** How somebody comes to a page: in which language, how wide their window is, and in which colours (light, unless it says). */
export interface Look {
  locale: 'en' | 'de';
  width: 320 | 768 | 1280;
  theme?: 'light' | 'dark';
}

const LOOKS: Look[] = (['en', 'de'] as const).flatMap((locale) =>
  ([320, 768, 1280] as const).map((width) => ({ locale, width })),
);

/** A test for each language and width; it looks at what it opens with `expectUsable`, which sees to both themes. */
export function itInEveryLook(title: string, test: (look: Look) => Promise<void>): void {
  for (const look of LOOKS) it(`${title}: ${look.locale}, ${look.width} px, both themes`, () => test(look));
}

/**
 * Fails with what keeps people from using the page as it is now: what axe finds, in both themes, and what does not fit into
 * the window.
 */
export async function expectUsable(page: Page): Promise<void> {
  await expectNoViolations(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A theme changes colours only: the other rules of axe have run by then. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
