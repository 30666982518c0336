import assert from 'node:assert/strict';
import { PASSWORD } from '../src/testing/index.ts';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  LOOKS,
  signIn,
  startSite,
  tabOnly,
  type Site,
} from './testing/index.ts';

const PAGES = ['/profile', '/profile/security', '/profile/sessions', '/confirm-email'];

describe('the pages of one’s own account', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite({ SINGLE_SESSION: 'false' });
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  for (const look of LOOKS) {
    it(`can be used by everybody: ${look.theme}, ${look.locale}, ${look.width} px`, async () => {
      const page = await site.openPage(look);
      await signIn(page, await site.newAccount());
      for (const path of PAGES) {
        await page.goto(path);
        await page.locator('main form, main li').first().waitFor();
        await expectNoViolations(page);
        await expectNoSidewaysScroll(page);
      }
      await page.goto('/profile/security');
      await page.getByRole('button', { name: /^(Set up|Einrichten)$/ }).click();
      await page.locator('h3 ~ form input[name=Password]').fill(PASSWORD);
      await page.locator('h3 ~ form button[type=submit]').click();
      await page.getByRole('img', { name: /QR/ }).waitFor();
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
    });
  }

  it('are gone through by keys alone, from the login on', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    await page.goto('/login');
    await keyboard.type(page.getByLabel('Email address'), email);
    await keyboard.type(page.getByLabel('Password', { exact: true }), PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    await keyboard.type(page.getByLabel('Name'), 'Ann Example');
    await keyboard.press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Your profile is saved.').waitFor();
    await keyboard.press(page.getByRole('link', { name: 'Sessions' }));
    await page.getByText('This one').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Sign out' }));
    await page.waitForURL('**/login');
    await keyboard.expectNoPointer();
    const { Token } = await site.login(email);
    const { body } = await site.call('GET', '/account/profile', undefined, Token);
    assert.equal(body['DisplayName'], 'Ann Example');
  });
});
