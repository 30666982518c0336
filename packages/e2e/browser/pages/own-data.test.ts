import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import {
  addAuthenticator,
  addPasskey,
  cast,
  expectNoViolations,
  fillLogin,
  itInEveryLayout,
  mailedLink,
  openRow,
  signIn,
  tabOnly,
  type Layout,
} from '../testing/index.ts';

describe('personal data in the account pages', () => {
  const { site } = cast();

  /** A page that was signed in long ago, to an account with the look’s language. */
  const openSignedIn = async (layout: Layout): Promise<Page> => {
    const page = await site.openPage(layout);
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    await site.call('PUT', '/account/profile', { Locale: layout.locale }, Token);
    await signIn(page, email);
    await site.forgetConfirmation(email);
    return page;
  };
  const downloaded = async (page: Page, press: () => Promise<void>): Promise<Record<string, unknown>> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    assert.equal(file.suggestedFilename(), 'account.json');
    return JSON.parse(await readFile(await file.path(), 'utf8')) as Record<string, unknown>;
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await openSignedIn(layout);
    await page.goto('/profile/data');
    await openRow(page, /^(Download your data|Daten herunterladen)$/);
    await openRow(page, /^(Delete your account|Konto löschen)$/);
    await page.locator('input[name=Password]').nth(1).waitFor();
    await check(page);
    for (const path of ['/restore-account', '/restore-account#Code=x']) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.getByRole('heading', { name: /^(Keep your account|Konto behalten)/ }).waitFor();
      await check(page);
    }
  });

  it('is downloaded as a file, after password confirmation if the login is old', async () => {
    const { page, email } = await site.signedIn();
    await page.goto('/profile/data');
    const button = page.getByRole('button', { name: 'Download' });
    const first = await downloaded(page, () => button.click());
    assert.ok(JSON.stringify(first['Profile']).includes(email));
    await page.getByText('The file is in your downloads.').waitFor();
    await site.forgetConfirmation(email);
    await button.click();
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    const goOn = page.getByRole('button', { name: 'Continue' });
    await goOn.click();
    await page.getByText('This is not your current password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const second = await downloaded(page, () => goOn.click());
    assert.ok(JSON.stringify(second['Audit']).includes('account.exported'));
    await button.waitFor();
  });

  it('is downloaded after confirmation with a passkey, not with a password', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await addPasskey(page);
    await site.forgetConfirmation(email);
    await page.goto('/profile/data');
    await page.getByRole('button', { name: 'Download' }).click();
    const byPasskey = page.getByRole('button', { name: 'Confirm with a passkey' });
    await byPasskey.waitFor();
    await expectNoViolations(page);
    const document = await downloaded(page, () => byPasskey.click());
    assert.equal((document['Passkeys'] as unknown[]).length, 1);
  });

  it('is deleted using the keyboard only in two steps, and restored by the link in the mail', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    await signIn(page, email);
    await page.goto('/profile/data');
    await page.getByText('You have 14 days to change your mind.').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Delete Delete your account' }));
    await page.getByRole('heading', { name: 'Enter the code from the email' }).waitFor();
    await expectNoViolations(page);
    await keyboard.type(page.getByLabel('Code from the email'), '0000-0000');
    await page.keyboard.press('Enter');
    await page.getByText('That code is wrong, has been used or has expired').first().waitFor();
    const code = await site.mailedCode(email, 2);
    await page.getByLabel('Code from the email').fill(code);
    await keyboard.press(page.getByRole('button', { name: 'Delete my account' }));
    await page.getByRole('heading', { name: 'Your account is closed' }).waitFor();
    await expectNoViolations(page);
    assert.equal((await site.post('/account/login', { Username: email, Password: PASSWORD })).status, 403);
    const link = await mailedLink(site, email, '/restore-account');
    await page.goto(link);
    assert.equal(page.url(), `${site.origin}/restore-account`);
    await page.getByText(`The account ${email} is closed, and will be deleted on`).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Keep my account' }));
    await page.getByRole('heading', { name: 'Your account is back' }).waitFor();
    await expectNoViolations(page);
    await keyboard.press(page.getByRole('link', { name: 'Sign in' }));
    await fillLogin(page, email);
    await page.waitForURL('**/profile');
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await page.getByText('This link has been used').waitFor();
  });
});
