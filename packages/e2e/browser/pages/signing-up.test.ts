import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, itInEveryLayout, PASSWORD, submit } from '../testing/index.ts';

const PAGES = [
  '/login?reason=session_replaced',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/complete-account',
  '/register-guest#InvitationToken=none',
];
const NEW_PASSWORD = 'another horse, another battery';

describe('public account pages', () => {
  const { site } = cast();

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await site.openPage(layout);
    for (const path of PAGES) {
      await page.goto(path);
      const button = page.locator('button[type=submit]');
      await check(button);
      await button.click();
      await check(page.locator('[aria-invalid=true]:focus'));
    }
  });

  const register = async (email: string): Promise<Page> => {
    const page = await site.openAt('/register');
    await submit(page, { 'Email address': email, Password: PASSWORD }, 'Create account');
    await page.waitForURL('**/verify-email');
    return page;
  };

  it('register, and sign in as soon as the email is verified', async () => {
    const email = site.someEmail();
    const page = await site.openAt('/register');
    await page.getByLabel('Email address').fill(email);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('short');
    await page.getByText('Characters still needed: 3').waitFor();
    await submit(page, { Password: 'password123' }, 'Create account');
    await page.getByText('Many people use this password').waitFor();
    assert.equal(await password.getAttribute('aria-invalid'), 'true');
    await submit(page, { Password: PASSWORD }, 'Create account');
    await page.waitForURL('**/verify-email');
    await page.getByText(email).waitFor();
    await submit(page, { 'Code from the email': 'AAAA-AAAA' }, 'Confirm');
    await page.getByText('That code is wrong, has been used or has expired.').waitFor();
    await submit(page, { 'Code from the email': await site.mailedCode(email) }, 'Confirm');
    await page.waitForURL('**/profile');
  });

  it('show the code for the tab that registered, if the link opens on another device', async () => {
    const email = site.someEmail();
    const page = await register(email);
    const code = await site.mailedCode(email);
    const other = await site.openAt(await site.mailedLink(email, '/verify-email'), {
      width: 320,
      isOfferedPasskeys: true,
    });
    await other.getByText('You began on another device.').waitFor();
    assert.equal(other.url(), `${site.origin}/verify-email`);
    const exposed = await other.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    assert.deepEqual(exposed, ['', 0, 0]);
    // The link alone verifies nothing.
    assert.equal((await site.post('/account/login', { Username: email, Password: PASSWORD })).status, 403);
    const shown = await other.locator('main p', { hasText: code }).textContent();
    await submit(page, { 'Code from the email': shown ?? '' }, 'Confirm');
    await page.waitForURL('**/profile');
    await site.login(email);
  });

  it('let the owner choose a password on another device, which the tab that registered notices', async () => {
    const email = site.someEmail();
    const stranger = await register(email);
    const page = await site.openAt(await site.mailedLink(email, '/verify-email'));
    await page.getByRole('button', { name: 'Go on here instead and choose another password' }).click();
    await page.getByText('Your email address is confirmed').waitFor();
    assert.equal((await site.post('/account/login', { Username: email, Password: PASSWORD })).status, 404);
    await stranger.getByRole('heading', { name: 'Confirmed on another device' }).waitFor();
    await submit(
      page,
      { 'Code from the email': await site.mailedCode(email, 2), 'New password': NEW_PASSWORD },
      'Save password',
    );
    await page.waitForURL('**/profile/security');
    await site.login(email, NEW_PASSWORD);
  });

  it('sign in both tabs if the link of the mail opens another tab than the one that registered', async () => {
    const email = site.someEmail();
    const page = await register(email);
    const other = await page.context().newPage();
    await other.goto(await site.mailedLink(email, '/verify-email'));
    await other.getByRole('button', { name: 'Confirm' }).click();
    for (const tab of [other, page]) {
      await tab.waitForURL('**/profile');
      await tab.getByRole('banner').getByText(email).waitFor();
    }
  });

  it('reset the password by mail, without revealing whether there is an account', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    for (const address of [site.someEmail(), email]) {
      await page.goto('/forgot-password');
      await submit(page, { 'Email address': address }, 'Send code');
      await page.getByText(`If ${address} has an account, an email with a code is on its way.`).waitFor();
    }
    await submit(
      page,
      { 'Code from the email': await site.mailedCode(email, 2), 'New password': NEW_PASSWORD },
      'Save password',
    );
    // Signed in. Whoever knew the old password may have left another way in.
    await page.waitForURL('**/profile/security');
    await page.getByText('Your password is changed').waitFor();
    assert.equal((await site.post('/account/login', { Username: email, Password: PASSWORD })).status, 404);
  });

  it('ask for the second factor after a reset, which does not skip it', async () => {
    const email = await site.newAccount();
    const app = await site.setUpApp(email);
    await site.post('/account/forgot-password', { Email: email });
    const page = await site.openAt(await site.mailedLink(email, '/reset-password'));
    await submit(page, { 'New password': NEW_PASSWORD }, 'Save password');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    await page.locator('input[name=TwoFactorCode]').fill(await app.nextCode());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/profile/security');
    await page.getByText('Your password is changed').waitFor();
  });

  it('say on arrival that the code of a link no longer works, and offer what helps', async () => {
    const email = site.someEmail();
    await site.post('/account/register', { Email: email, Password: PASSWORD });
    const verify = await site.mailedLink(email, '/verify-email');
    await site.post('/account/verify', { Email: email, Code: await site.mailedCode(email) });
    const page = await site.openAt(verify);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto(`/reset-password#Email=${encodeURIComponent(email)}&Code=AAAA-AAAA`);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    assert.equal(await page.locator('input').count(), 0);
    await page.getByRole('button', { name: 'Send another code' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.getByLabel('Code from the email').fill(await site.mailedCode(email, 2));
  });
});
