import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import {
  cast,
  itInEveryLayout,
  openRow,
  rowOf,
  signIn,
  addPasskey,
  expectNoViolations,
} from '../testing/index.ts';
import { eventually } from '@gatehouse/runtime/testing';

const WRONG = { en: 'Refused: wrong password', de: 'Abgelehnt: falsches Passwort' };

const PAGES = ['/profile', '/profile/security', '/profile/sessions', '/profile/apps', '/confirm-email'];

describe('the account pages', () => {
  const { site } = cast({ SINGLE_SESSION: 'false' });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await site.signedIn(layout);
    for (const path of PAGES) {
      await page.goto(path);
      await check(page.locator('main form, main section').first());
    }
    await page.goto('/profile/security');
    for (const subject of [/^E-?[Mm]ail/, /^Pass(word|wort)$/, 'Passkeys']) {
      await openRow(page, subject);
      await check(page);
      const cancel = { hasText: /^(Cancel|Abbrechen)$/ };
      await page.locator('section button').filter(cancel).click();
    }
    const row = await openRow(page, /^(Two-factor|Zwei-Faktor)/);
    await row.locator('input[name=Password]').fill(PASSWORD);
    await row.locator('button[type=submit]').click();
    await check(page.getByRole('img', { name: /QR/ }));
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

  it('keep the input while the service is unavailable, and say so', async () => {
    const { page } = await site.signedIn();
    await openRow(page, 'Name');
    const name = page.getByLabel('Your name');
    await name.fill('Ann Example');
    await page.route('**/account/profile', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service cannot answer right now.').waitFor();
    assert.equal(await name.inputValue(), 'Ann Example');
    await page.unroute('**/account/profile');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Name').getByText('Ann Example').waitFor();
  });

  it('work using the keyboard only, from the login on', async () => {
    const email = await site.newAccount();
    const { page, keyboard } = await site.openByKeyboard('/login');
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
    const { Token } = await site.login(email);
    const { body } = await site.call('GET', '/account/profile', undefined, Token);
    assert.equal(body['DisplayName'], 'Ann Example');
  });

  it('end sessions elsewhere after a change of a sign-in method', async () => {
    const { page, email } = await site.signedIn();
    const { Token } = await site.login(email);
    await addPasskey(page);
    await expectNoViolations(page.getByText('Sessions of this account elsewhere: 1.'));
    assert.equal((await site.call('GET', '/account/profile', undefined, Token)).status, 200);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Sessions ended: 1').waitFor();
    assert.equal((await site.call('GET', '/account/profile', undefined, Token)).status, 401);
  });

  itInEveryLayout('show sign-ins to everybody, and what to do about a stranger’s', async (layout, check) => {
    const email = await site.newAccount();
    await site.call('POST', '/account/login', { Username: email, Password: 'not the password' });
    const { Token } = await site.login(email);
    await eventually(async () => {
      const { body } = await site.call('GET', '/account/sign-in', undefined, Token);
      return (body['Items'] as unknown[]).length === 2; // public-openapi.json
    });
    const page = await site.openPage(layout);
    await signIn(page, email);
    await page.goto(`/profile/sessions?locale=${layout.locale}`);
    await check(page.getByText(WRONG[layout.locale]));
    if (layout.width === 320) await expectAligned(page);
    const refused = page.getByRole('listitem').filter({ hasText: WRONG[layout.locale] });
    await refused.getByRole('button', { name: /This wasn’t me|Das war ich nicht/ }).click();
    await page.getByText(/let nobody in|niemanden eingelassen/).waitFor();
    const choose = page.getByRole('link', { name: /Choose a new password|Neues Passwort wählen/ });
    await check(choose);
    await choose.click();
    await openRow(page, /^Pass(word|wort)$/);
    await page.locator('input[name=CurrentPassword]').waitFor();
  });
});

/** On a phone the question of a sign-in begins where its words do. */
async function expectAligned(page: Page): Promise<void> {
  const ending = { has: page.getByRole('button') };
  const item = page.getByRole('listitem').filter(ending).first();
  const [words, button] = await Promise.all([
    item.locator('p').first().boundingBox(),
    item.getByRole('button').boundingBox(),
  ]);
  assert.equal(button?.x, words?.x);
}
