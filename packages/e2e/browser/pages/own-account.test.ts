import assert from 'node:assert/strict';
import { callAt, PASSWORD } from '../../src/testing/index.ts';
import {
  addPasskey,
  cast,
  downloaded,
  expectNoViolations,
  fillLogin,
  itInEveryLayout,
  openRow,
  rowOf,
  submit,
} from '../testing/index.ts';
import type { Page } from 'playwright-core';

describe('account pages in a browser', () => {
  const { site } = cast();

  it('lead through the login to the requested page, also while the gateway or an instance of version 1.0 answers', async () => {
    const page = await site.openPage();
    await page.route('**/account/visitor', (route) => route.fulfill({ status: 404 }));
    await page.goto('/profile/security');
    await page.waitForURL('**/login?*');
    await fillLogin(page, await site.newAccount());
    await page.waitForURL('**/profile/security');
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
  });

  it('use the language of the account, unless another was chosen in this browser', async () => {
    const { page } = await site.signedIn();
    await openRow(page, 'Language');
    await page.getByLabel('Language of emails and pages').selectOption('de');
    await page.getByRole('button', { name: 'Save' }).click();
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await heading('Ihr Profil').waitFor();
    await page.goto('/profile/security?locale=en');
    await heading('Security').waitFor();
    await page.goto('/profile/security');
    await heading('Sicherheit').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await heading('Security').waitFor();
    await page.goto('/profile');
    await heading('Your profile').waitFor();
    await openRow(page, 'Name');
    await submit(page, { 'Your name': 'Ann' }, 'Save');
    await rowOf(page, 'Name').getByText('Ann').waitFor();
    await page.reload();
    await heading('Your profile').waitFor();
  });

  it('change the password, with errors at the field, and keep the input', async () => {
    const { page, email } = await site.signedIn();
    await openRow(page, 'Password', '/profile/security');
    const current = page.locator('input[name=CurrentPassword]');
    const change = (from: string, to: string) =>
      submit(page, { 'Current password': from, 'New password': to }, 'Change password');
    await change('not the password', 'a wholly new one');
    await page.getByText('This is not your current password').waitFor();
    assert.equal(await page.locator('input[name=Password]').first().inputValue(), 'a wholly new one');
    await change(PASSWORD, 'password1');
    await page.getByText('Many people use this password').waitFor();
    // A tick beside the error would contradict it.
    assert.equal(await page.locator('form svg path[d="M20 6 9 17l-5-5"]').count(), 0);
    await change(PASSWORD, 'a wholly new one');
    await page.getByText('Your password is changed.').waitFor();
    assert.equal(await current.count(), 0);
    await page.getByRole('button', { name: 'Change Password' }).and(page.locator(':focus')).waitFor();
    await site.login(email, 'a wholly new one');
  });

  it('change the email address from the mail to the confirmation, with a login in between', async () => {
    const { page, email } = await site.signedIn();
    const next = site.someEmail();
    const form = await openRow(page, 'Email address', '/profile/security');
    await submit(form, { 'New email address': next, 'Current password': PASSWORD }, 'Change email address');
    await page.getByText(`If ${next} can be used`).waitFor();

    const reader = await site.openAt(await site.mailedLink(next, '/confirm-email'));
    await reader.waitForURL('**/login?*');
    assert.ok(!reader.url().includes('#'), 'the code is out of the address');
    await fillLogin(reader, email);
    await reader.waitForURL('**/confirm-email');
    await reader.getByText(`${next} becomes the address`).waitFor();
    await reader.getByRole('button', { name: 'Confirm' }).click();
    await reader.getByRole('heading', { name: 'Your email address is changed' }).waitFor();
    await site.login(next);
  });

  it('restore the former email address by the link in its mail, using the keyboard only', async () => {
    const [email, Email] = [await site.newAccount(), site.someEmail()];
    const { Token } = await site.login(email);
    await site.post('/account/change-email', { Email, Password: PASSWORD }, Token);
    await site.post('/account/confirm-email', { Code: await site.mailedCode(Email) }, Token);
    const link = await site.mailedLink(email, '/take-back-email');
    const { page, keyboard } = await site.openByKeyboard(link);
    assert.equal(page.url(), `${site.origin}/take-back-email`);
    await page.getByText(`${email} becomes the address`).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Restore my email address' }));
    await expectNoViolations(page.getByRole('heading', { name: 'Your email address is restored' }));
    assert.notEqual(await site.pingStatus(Token), 1);
    await keyboard.press(page.getByRole('link', { name: 'Choose a new password' }));
    await page.waitForURL('**/forgot-password');
    await page.goto('about:blank');
    await page.goto(link);
    await keyboard.press(page.getByRole('button', { name: 'Restore my email address' }));
    await page.getByText('This link has been used').waitFor();
  });

  it('show at once, without a click, which newer login has replaced the session', async () => {
    const { page, email } = await site.signedIn();
    await page.getByRole('heading', { name: 'Language' }).waitFor();
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const body = { Username: email, Password: PASSWORD };
    await callAt(site.origin, 'POST', '/account/login', { body, headers: { 'user-agent': agent } });
    await page.waitForURL('**/login?*');
    await page.getByText(/^You were signed in elsewhere: Firefox, Linux, /).waitFor();
    await fillLogin(page, email);
    await page.waitForURL('**/profile');
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('Replaced by a newer sign-in').first().waitFor();
  });

  it('offer on the login page to continue as the one who is signed in, or with another account, and lead to no other site', async () => {
    const { page, email } = await site.signedIn();
    const other = await site.newAccount();
    await page.goto('/login?returnUrl=/profile/sessions');
    await expectNoViolations(page.getByText('or use another account'));
    await page.getByRole('button', { name: `Continue as ${email}` }).click();
    await page.waitForURL('**/profile/sessions');
    await page.goto('/login?again=&returnUrl=/profile/sessions');
    await page.locator('button[type=submit]:not([disabled])').waitFor();
    await page.goto('/login?returnUrl=//evil.example');
    await page.getByRole('button', { name: `Continue as ${email}` }).waitFor();
    await fillLogin(page, other);
    await page.waitForURL(`${site.origin}/profile`);
    await page.getByText(other).first().waitFor();
  });

  const exported = async (page: Page, press: () => Promise<void>): Promise<Record<string, unknown>> => {
    const { name, text } = await downloaded(page, press);
    assert.equal(name, 'account.json');
    return JSON.parse(text) as Record<string, unknown>;
  };

  itInEveryLayout('of personal data and taking back can be used by everybody', async (layout, check) => {
    const { page, email } = await site.signedIn(layout);
    await site.forgetConfirmation(email);
    await page.goto('/profile/data');
    await openRow(page, /^(Download your data|Daten herunterladen)$/);
    await openRow(page, /^(Delete your account|Konto löschen)$/);
    await check(page.locator('input[name=Password]').nth(1));
    for (const [path, heading] of [
      ['/restore-account', /^(Keep your account|Konto behalten)/],
      ['/restore-account#Code=x', /^(Keep your account|Konto behalten)/],
      ['/take-back-email', /^(Restore this email|E-Mail-Adresse wiederherstellen)/],
      ['/take-back-email#Code=x', /^(Restore this email|E-Mail-Adresse wiederherstellen)/],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(path);
      await check(page.getByRole('heading', { name: heading }));
    }
  });

  it('download personal data as a file, after password confirmation if the login is old', async () => {
    const { page, email } = await site.signedIn();
    await page.goto('/profile/data');
    const button = page.getByRole('button', { name: 'Download' });
    const first = await exported(page, () => button.click());
    assert.ok(JSON.stringify(first['Profile']).includes(email));
    await page.getByText('The file is in your downloads.').waitFor();
    await site.forgetConfirmation(email);
    await button.click();
    await submit(page, { Password: 'not the password' }, 'Continue');
    await page.getByText('This is not your current password').waitFor();
    const second = await exported(page, () => submit(page, { Password: PASSWORD }, 'Continue'));
    assert.ok(JSON.stringify(second['Audit']).includes('account.exported'));
    await button.waitFor();
  });

  it('download it after confirmation with a passkey, not with a password', async () => {
    const { page, email } = await site.signedIn();
    await addPasskey(page);
    await site.forgetConfirmation(email);
    await page.goto('/profile/data');
    await page.getByRole('button', { name: 'Download' }).click();
    const byPasskey = page.getByRole('button', { name: 'Confirm with a passkey' });
    await expectNoViolations(byPasskey);
    const document = await exported(page, () => byPasskey.click());
    assert.equal((document['Passkeys'] as unknown[]).length, 1);
  });

  it('delete the account using the keyboard only in two steps, and restore it by the link in the mail', async () => {
    const email = await site.newAccount();
    const { page, keyboard } = await site.openByKeyboard('/login?returnUrl=/profile/data');
    await keyboard.signIn(email);
    await page.getByText('You have 14 days to change your mind.').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Delete Delete your account' }));
    await expectNoViolations(page.getByRole('heading', { name: 'Enter the code from the email' }));
    await keyboard.type(page.getByLabel('Code from the email'), '0000-0000');
    await page.keyboard.press('Enter');
    await page.getByText('That code is wrong, has been used or has expired').first().waitFor();
    const code = await site.mailedCode(email, 2);
    await page.getByLabel('Code from the email').fill(code);
    await keyboard.press(page.getByRole('button', { name: 'Delete my account' }));
    await expectNoViolations(page.getByRole('heading', { name: 'Your account is closed' }));
    assert.equal((await site.post('/account/login', { Username: email, Password: PASSWORD })).status, 403);
    const link = await site.mailedLink(email, '/restore-account');
    await page.goto(link);
    assert.equal(page.url(), `${site.origin}/restore-account`);
    await page.getByText(`The account ${email} is closed, and will be deleted on`).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Keep my account' }));
    await expectNoViolations(page.getByRole('heading', { name: 'Your account is back' }));
    await keyboard.press(page.getByRole('link', { name: 'Sign in' }));
    await keyboard.signIn(email);
    await page.waitForURL('**/profile');
    await page.goto('about:blank');
    await page.goto(link);
    await keyboard.press(page.getByRole('button', { name: 'Keep my account' }));
    await page.getByText('This link has been used').waitFor();
  });
});
