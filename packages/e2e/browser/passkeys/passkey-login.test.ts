import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  addAuthenticator,
  addPasskey,
  cast,
  fillLogin,
  itInEveryLayout,
  type Layout,
  logIn,
} from '../testing/index.ts';

describe('signing in with a passkey', () => {
  const { site } = cast();

  const newOwner = async () => {
    const { page, email } = await site.signedIn({ fillsInPasskeys: true });
    const authenticator = await addPasskey(page);
    await page.context().clearCookies();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/account/login/passkey') asked.push(request.method());
    });
    await page.goto('/login');
    await passkeyButton(page).waitFor();
    return { email, page, authenticator, asked };
  };
  const emailField = (page: Page) => page.locator('input[name=Username]');
  const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

  it('accepts a passkey from autofill in the email field', async () => {
    const { page, asked } = await newOwner();
    await emailField(page).and(page.locator(':focus')).waitFor();
    assert.deepEqual(asked, []);
    await page.keyboard.press('ArrowDown');
    await page.waitForURL('**/profile');
    assert.equal(asked.length, 1);
  });

  it('falls back to the password without an error if the address has started too many logins', async () => {
    const { email, page, asked } = await newOwner();
    const busy = { status: 429, headers: { 'Retry-After': '60' }, json: { code: 'too_many_requests' } };
    await page.route('**/account/login/passkey', (route) => route.fulfill(busy));
    await emailField(page).click();
    await emailField(page).click();
    await fillLogin(page, email, 'not the password');
    await page.getByText('Email address or password is wrong').waitFor();
    assert.equal(await page.getByText('Too many attempts').count(), 0);
    await fillLogin(page, email);
    await page.waitForURL('**/profile');
    assert.equal(asked.length, 1);
  });

  it('refuses a signature of a passkey that was deleted meanwhile', async () => {
    const { email, page, authenticator } = await newOwner();
    const removal = 'delete from passkey where account_id = (select id from account where email = ?)';
    await site.sql(removal, [email]);
    const refused = page.waitForResponse('**/account/login');
    const forgotten: unknown[] = [];
    await page.exposeFunction('forget', (passkey: unknown) => void forgotten.push(passkey));
    await page.evaluate('PublicKeyCredential.signalUnknownCredential = forget');
    await passkeyButton(page).click();
    assert.equal((await refused).status(), 404);
    await page.getByText('This passkey was not accepted').waitFor();
    // The page tells the browser to forget the passkey.
    const credentialId = await authenticator.newestId();
    assert.deepEqual(forgotten, [{ rpId: new URL(site.origin).hostname, credentialId }]);
    assert.equal((await page.context().cookies()).length, 0);
  });
});

describe('the offer of a passkey after a login by password', () => {
  const { site } = cast();

  const loggedIn = async ({ path = '/login', layout }: { path?: string; layout?: Partial<Layout> } = {}) => {
    const email = await site.newAccount();
    const page = await site.openPage({ isOfferedPasskeys: true, ...layout });
    const authenticator = await addAuthenticator(page);
    await logIn(page, email, path);
    return { page, email, authenticator };
  };
  const offer = (page: Page) =>
    page.getByRole('heading', { name: /Sign in faster next time|Nächstes Mal schneller anmelden/ });
  const again = async (page: Page, email: string) => {
    await page.context().clearCookies();
    await logIn(page, email);
  };

  it('adds one and continues; the next login needs no typing', async () => {
    const { page, email, authenticator } = await loggedIn();
    await offer(page).waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL('**/profile');
    assert.equal(await authenticator.countPasskeys(), 1);
    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/profile');
    // A user who has a passkey gets no offer, whenever the last offer was.
    await page.evaluate(() => localStorage.clear());
    await again(page, email);
    await page.waitForURL('**/profile');
  });

  it('continues with “Not now”, and does not appear again soon', async () => {
    const { page, email } = await loggedIn({ path: '/login?returnUrl=%2Fprofile%2Fsessions' });
    await offer(page).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL('**/profile/sessions');
    await again(page, email);
    await page.waitForURL('**/profile');
  });

  it('stays if the user cancels, so that they can skip it', async () => {
    const { page, authenticator } = await loggedIn();
    await offer(page).waitFor();
    await authenticator.touch(false);
    await page.evaluate(() => {
      navigator.credentials.create = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL('**/profile');
    assert.equal(await authenticator.countPasskeys(), 0);
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await loggedIn({ layout });
    await check(offer(page));
  });
});
