import assert from 'node:assert/strict';
import { barOf, cast } from '../../testing/index.ts';

describe('keyboard shortcuts of the console', () => {
  const { admin } = cast();

  it('open every screen of the navigation, as listed in the help', async () => {
    const { page } = await admin.open('/accounts');
    await page.locator('body').press('?');
    const rows = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('dl > div');
    await rows.first().waitFor();
    const listed = await rows.evaluateAll((all) =>
      all.map((row) => ({
        keys: [...row.querySelectorAll('kbd')].map((key) => key.textContent ?? ''),
        meaning: row.querySelector('dd')?.textContent ?? '',
      })),
    );
    await page.keyboard.press('Escape');
    const shortcuts = listed.filter(({ keys }) => keys[0] === 'g');
    const letters = shortcuts.map(({ keys }) => keys[1] ?? '');
    assert.deepEqual(letters, [...new Set(letters)]);
    const links = barOf(page).getByRole('link');
    const names = await links.allTextContents();
    assert.ok(names.length > 5);
    assert.deepEqual(
      shortcuts.map(({ meaning }) => meaning),
      names,
    );
    for (const [index, letter] of letters.entries()) {
      assert.match(letter, /^[a-fh-z]$/);
      await page.locator('body').press('g');
      await page.locator('body').press(letter);
      const href = (await links.nth(index).getAttribute('href')) ?? '';
      await page.waitForURL((url) => url.pathname === href);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    }
  });
});
