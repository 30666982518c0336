import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, itInEveryLayout, openRow, rowOf, signIn, tabOnly, type Layout } from '../testing/index.ts';

const PAGES = ['/profile', '/profile/security', '/profile/sessions', '/profile/apps', '/confirm-email'];

describe('the account pages', () => {
  const { site } = cast({ SINGLE_SESSION: 'false' });

  /** A page that is signed in to an account with the look’s language. */
  const openSignedIn = async (layout: Layout): Promise<Page> => {
    const page = await site.openPage(layout);
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    await site.call('PUT', '/account/profile', { Locale: layout.locale }, Token);
    await signIn(page, email);
    return page;
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await openSignedIn(layout);
    for (const path of PAGES) {
      await page.goto(path);
      await page.locator('main form, main section').first().waitFor();
      await check(page);
    }
    await page.goto('/profile/security');
    for (const subject of [/^E-?[Mm]ail/, /^Pass(word|wort)$/, 'Passkeys']) {
      await openRow(page, subject);
      await check(page);
      await page
        .locator('section button')
        .filter({ hasText: /^(Cancel|Abbrechen)$/ })
        .click();
    }
    const row = await openRow(page, /^(Two-factor|Zwei-Faktor)/);
    await row.locator('input[name=Password]').fill(PASSWORD);
    await row.locator('button[type=submit]').click();
    await page.getByRole('img', { name: /QR/ }).waitFor();
    await check(page);
  });

  it('end one session, and then all others', async () => {
    const { page, email } = await site.signedIn();
    const others = await Promise.all([1, 2, 3].map(() => site.login(email)));
    const living = async () =>
      (await Promise.all(others.map(({ Token }) => site.pingStatus(Token)))).filter((status) => status === 1);
    await page.goto('/profile/sessions');
    const buttons = page.getByRole('button', { name: 'End session' });
    await buttons.nth(2).waitFor();
    assert.equal(await buttons.count(), 3);
    await buttons.first().click();
    await page.getByText('Sessions ended: 1').waitFor();
    assert.equal((await living()).length, 2);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('Sessions ended: 2').waitFor();
    assert.deepEqual(await living(), []);
    // The list is loaded again after the notice is shown.
    await buttons.first().waitFor({ state: 'detached' });
    await page.getByText('This one').waitFor();
  });

  it('keep the input while the service is unavailable, and show when to try again', async () => {
    const { page } = await site.signedIn();
    await openRow(page, 'Name');
    const name = page.getByLabel('Your name');
    await name.fill('Ann Example');
    await site.stack.hold('portal');
    try {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The service cannot answer right now.').waitFor();
      assert.equal(await name.inputValue(), 'Ann Example');
    } finally {
      await site.stack.release('portal');
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Name').getByText('Ann Example').waitFor();
  });

  it('work using the keyboard only, from the login on', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    await page.goto('/login');
    await keyboard.signIn(email);
    await page.waitForURL('**/profile');
    await keyboard.press(page.getByRole('button', { name: 'Change Name' }));
    await page.getByLabel('Your name').and(page.locator(':focus')).waitFor();
    await keyboard.type(page.getByLabel('Your name'), 'Ann Example');
    await keyboard.press(page.getByRole('button', { name: 'Save' }));
    await rowOf(page, 'Name').getByText('Ann Example').waitFor();
    await keyboard.press(page.getByRole('link', { name: 'Sessions' }));
    await page.getByText('This one').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Sign out' }));
    await page.waitForURL('**/login?reason=signed_out');
    await keyboard.expectNoPointer();
    const { Token } = await site.login(email);
    const { body } = await site.call('GET', '/account/profile', undefined, Token);
    assert.equal(body['DisplayName'], 'Ann Example');
  });
});
