import assert from 'node:assert/strict';
import { addFilter, barOf, cast, chooseAction, expectNoViolations } from '../../testing/index.ts';

describe('the kit of the console', () => {
  const { admin } = cast();

  it('begins a dialog in its first field, and where there is none at the button that cancels', async () => {
    const { page, admin: own } = await admin.open('/accounts');
    const focused = page.locator(':focus');
    await page.getByRole('button', { name: 'Create account' }).click();
    await focused.and(page.locator('input[name=Email]')).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await focused.and(page.getByRole('button', { name: 'Create account' })).waitFor();
    await page.goto(admin.url(`/accounts/${own.id}`));
    await chooseAction(page, 'Require a second factor');
    await focused.and(page.getByRole('button', { name: 'Cancel' })).waitFor();
  });

  it('adds a filter with a time a while ago, which the address keeps as that time', async () => {
    const { page } = await admin.open('/sessions');
    await addFilter(page, 'Signed in from');
    const chosen = page.locator('select[name=createdFrom]');
    await chosen.selectOption('Last hour');
    await page.waitForURL(/createdFrom=/);
    const at = new URL(page.url()).searchParams.get('createdFrom') ?? '';
    assert.ok(Math.abs(Date.now() - Date.parse(at) - 3_600_000) < 60_000, at);
    assert.equal(await chosen.inputValue(), at);
    await page.getByRole('button', { name: 'Remove the filter Signed in from' }).click();
    await page.waitForURL((url) => url.search === '');
    assert.equal(await chosen.count(), 0);
  });

  it('shows rows as cards on a phone, with the names of their values, and keeps the head of a table in sight', async () => {
    const { page } = await admin.open('/accounts', { locale: 'en', width: 320 });
    const row = page.getByRole('row').nth(1);
    await row.waitFor();
    const table = page.getByRole('region', { name: 'Accounts' });
    assert.equal(await table.evaluate((box) => box.scrollWidth - box.clientWidth), 0);
    const label = (cell: Element): string => getComputedStyle(cell, '::before').content;
    const roles = { name: /Administrator|User/ };
    assert.equal(await row.getByRole('cell', roles).last().evaluate(label), '"Role "');
    await page.setViewportSize({ width: 1280, height: 200 });
    const head = page.getByRole('columnheader', { name: 'Role' });
    await row.scrollIntoViewIfNeeded();
    await page.mouse.move(700, 150);
    await page.mouse.wheel(0, 2000);
    await page.waitForFunction(
      () =>
        document.querySelector('th')?.getBoundingClientRect().y ===
        document.querySelector('main')?.parentElement?.getBoundingClientRect().y,
    );
    assert.ok(await head.isVisible());
  });

  it('opens every screen of the navigation by its keys, as listed in the help', async () => {
    const { page } = await admin.open('/accounts');
    await page.locator('body').press('?');
    const rows = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('dl > div');
    await expectNoViolations(rows.first());
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
    const meanings = shortcuts.map(({ meaning }) => meaning);
    assert.deepEqual(meanings, names);
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
