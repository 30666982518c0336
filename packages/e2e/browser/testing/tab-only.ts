import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';

const TABS_MAX = 60;

/** Operates a page that is not open yet with the keyboard only: use of a pointer fails the test at its end (`watch`). */
export async function tabOnly(page: Page) {
  await page.addInitScript(() => {
    for (const name of ['pointerdown', 'mousedown', 'touchstart']) {
      addEventListener(
        name,
        () => {
          throw new Error(`A pointer was used: ${name}`);
        },
        true,
      );
    }
  });
  /** Presses Tab until the element has the focus, which must be visible. */
  const to = async (target: Locator): Promise<void> => {
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await target.evaluate((element) => element === document.activeElement))
        return await expectVisibleFocus(target);
      await page.keyboard.press('Tab');
    }
    throw new Error(`${target.toString()} has no focus after ${TABS_MAX} tabs`);
  };
  const type = async (target: Locator, text: string): Promise<void> => {
    await to(target);
    await page.keyboard.type(text);
  };
  return {
    to,
    type,
    /** Tabs to a select and types the beginning of an option. */
    choose: async (select: Locator, option: string): Promise<void> => {
      await to(select);
      // All keys at once: on a busy machine, keys one by one would not be taken as one word.
      await Promise.all(Array.from(option, (key) => page.keyboard.press(key)));
    },
    press: async (target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> => {
      await to(target);
      await page.keyboard.press(key);
    },
    signIn: async (email: string): Promise<void> => {
      await type(page.getByLabel('Email address'), email);
      await type(page.getByLabel('Password', { exact: true }), PASSWORD);
      await page.keyboard.press('Enter');
    },
  };
}

/** Requires a visible outline, or a shadow that replaces it. */
async function expectVisibleFocus(target: Locator): Promise<void> {
  const ring = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth), boxShadow };
  });
  if (ring.outline < 1 && ring.boxShadow === 'none')
    throw new Error(`nothing shows that ${target.toString()} has the focus`);
}
