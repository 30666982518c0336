import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { COLOUR_RULES, expectReadableColours } from './colours.ts';
import { expectNoSidewaysScroll, expectNoViolations } from './violations.ts';

const WIDTHS = [320, 768, 1280] as const;
export const HEIGHTS = { 320: 640, 768: 1024, 1280: 800 };

type Width = (typeof WIDTHS)[number];

/** How a page is shown: the language, the width of the window and the theme (light by default). */
export interface Layout {
  locale: 'en' | 'de';
  width: Width;
  theme?: 'light' | 'dark';
}

/** The width at which a screen is opened and used, by language. All other tests use 1280 px. */
const USED_AT = { en: 320, de: 768 } as const;

/** What is wrong with a page, by the width of the window. */
type Problems = Record<Width, string[]>;

/**
 * Defines a test for each language and width. `use` opens and uses the screen once per language, because that takes longer than
 * resizing it, and calls `check` at each step, which checks the page at every width and in both themes.
 */
export function itInEveryLayout(
  title: string,
  use: (layout: Layout, check: (page: Page) => Promise<void>) => Promise<void>,
): void {
  const accepted = new Set<string>();
  for (const locale of ['en', 'de'] as const) {
    let found: Promise<Problems> | undefined;
    const findAll = async (): Promise<Problems> => {
      const problems = noProblems();
      await use({ locale, width: USED_AT[locale] }, async (page) => {
        const added = await findProblems(page, accepted);
        for (const width of WIDTHS) problems[width].push(...added[width]);
      });
      return problems;
    };
    for (const width of WIDTHS) {
      it(`${title}: ${locale}, ${width} px, both themes`, async () => {
        found ??= findAll();
        assert.deepEqual((await found)[width], []);
      });
    }
  }
}

/**
 * Checks the page at each width (`expectUsable`), and restores its size. `accepted`: see `expectReadableColours`.
 */
export async function findProblems(page: Page, accepted: Set<string>): Promise<Problems> {
  const before = page.viewportSize();
  const problems = noProblems();
  for (const width of WIDTHS) {
    await resize(page, { width, height: HEIGHTS[width] });
    await expectUsable(page, accepted).catch((error: unknown) => void problems[width].push(String(error)));
  }
  if (before !== null) await resize(page, before);
  return problems;
}

function noProblems(): Problems {
  return { 320: [], 768: [], 1280: [] };
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

/**
 * Fails if the page cannot be used as it is now: if axe finds violations, in both themes, or if the content does not
 * fit into the window. A theme only changes colours.
 */
async function expectUsable(page: Page, accepted: Set<string>): Promise<void> {
  await expectNoViolations(page, { with: WCAG_22_RULES, without: COLOUR_RULES });
  await expectReadableColours(page, accepted);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    await expectReadableColours(page, accepted);
  } finally {
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

/** A rule of WCAG 2.2 AA that axe does not apply by default. The API reference, which is not ours, does not follow it. */
const WCAG_22_RULES = ['target-size'];
