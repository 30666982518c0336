import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, expectNoSidewaysScroll, expectNoViolations } from './testing/index.ts';

describe('the reference page of the API', () => {
  const { site } = cast();
  const settled = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { name: 'Gatehouse API' }).waitFor();
    await page.evaluate(untilSettled);
  };

  it('is accessible in both themes and all window widths', async () => {
    // Opening the page takes seconds, so each theme and each width is tested once.
    for (const layout of [{ theme: 'light', width: 320 } as const, { theme: 'dark', width: 1280 } as const]) {
      const page = await site.openAt('/docs', layout);
      await settled(page);
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
    }
  });

  it('shows each operation using the keyboard only', async () => {
    const { page, keyboard } = await site.openByKeyboard('/docs');
    await settled(page);
    await keyboard.press(page.getByRole('button', { name: 'Open Group - Guests and persons' }));
    await keyboard.press(page.getByRole('link', { name: 'Persons', exact: true }));
    await keyboard.press(page.getByRole('link', { name: /^Create a person/ }));
    await page.waitForURL(/#./);
    await page.getByRole('heading', { name: 'Create a person' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('refresh');
    await page.getByRole('option', { name: 'Refresh the access token' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/refresh-token$/);
  });

  it('has its own origin without cookies of the account pages, and makes no external requests', async () => {
    // The test does things here that the page's script must not be able to do.
    const page = await site.openAt('/docs', { isHostile: true });
    await settled(page);
    assert.equal(await page.evaluate(() => origin), 'null');
    assert.equal(await page.evaluate(() => document.cookie.length).catch(() => 'refused'), 'refused');
    const asked = await page.evaluate(() =>
      fetch('/account/profile').then(
        () => 'asked',
        () => 'refused',
      ),
    );
    assert.equal(asked, 'refused');
  });
});

/** The page is built step by step. Resolves when nothing has been added or animated for a while. Runs in the page. */
async function untilSettled(): Promise<void> {
  for (let last = -1, calm = 0; calm < 5;) {
    const size = document.body.innerHTML.length;
    calm = size === last && document.getAnimations().length === 0 ? calm + 1 : 0;
    last = size;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}
