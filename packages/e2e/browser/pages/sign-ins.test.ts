import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '@gatehouse/runtime/testing';
import { itInEveryLayout, signIn, startSite, type Site, openRow } from '../testing/index.ts';

const WRONG = { en: 'Refused: wrong password', de: 'Abgelehnt: falsches Passwort' };

describe('the last sign-ins, in the account pages', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  itInEveryLayout('can be read by everybody, with what to do about a stranger’s', async (layout, check) => {
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
    await page.getByText(WRONG[layout.locale]).waitFor();
    await check(page);
    if (layout.width === 320) await expectAligned(page);
    const refused = page.getByRole('listitem').filter({ hasText: WRONG[layout.locale] });
    await refused.getByRole('button', { name: /This wasn’t me|Das war ich nicht/ }).click();
    await page.getByText(/let nobody in|niemanden eingelassen/).waitFor();
    const choose = page.getByRole('link', { name: /Choose a new password|Neues Passwort wählen/ });
    await choose.waitFor();
    await check(page);
    await choose.click();
    await openRow(page, /^Pass(word|wort)$/);
    await page.locator('input[name=CurrentPassword]').waitFor();
  });
});

/** On a phone the question of a sign-in begins where its words do. */
async function expectAligned(page: Page): Promise<void> {
  const item = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
    .first();
  const [words, button] = await Promise.all([
    item.locator('p').first().boundingBox(),
    item.getByRole('button').boundingBox(),
  ]);
  assert.equal(button?.x, words?.x);
}
