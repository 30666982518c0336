import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAuthenticator, cast, fillLogin, itInEveryLayout, type Layout } from '../testing/index.ts';

describe('the offer of a passkey after a login by password', () => {
  const { site } = cast();

  /** A user without a passkey who has submitted the login page. */
  const loggedIn = async ({ path = '/login', layout }: { path?: string; layout?: Partial<Layout> } = {}) => {
    const email = await site.newAccount();
    const page = await site.openPage({ isOfferedPasskeys: true, ...layout });
    const authenticator = await addAuthenticator(page);
    await page.goto(path);
    await fillLogin(page, email);
    return { page, email, authenticator };
  };
  const offer = (page: Page) =>
    page.getByRole('heading', { name: /Sign in faster next time|Nächstes Mal schneller anmelden/ });
  const again = async (page: Page, email: string) => {
    await page.context().clearCookies();
    await page.goto('/login');
    await fillLogin(page, email);
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

  it('continues with “Not now”, and does not appear again within thirty days', async () => {
    const { page, email } = await loggedIn({ path: '/login?returnUrl=%2Fprofile%2Fsessions' });
    await offer(page).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL('**/profile/sessions');
    await again(page, email);
    await page.waitForURL('**/profile');
    await page.evaluate((days) => {
      localStorage.setItem('passkey-offered-at', String(Date.now() - days * 24 * 3_600_000));
    }, 31);
    await again(page, email);
    await offer(page).waitFor();
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

  it('does not appear if the list of passkeys cannot be loaded', async () => {
    const email = await site.newAccount();
    const page = await site.openPage({ isOfferedPasskeys: true, isHostile: true });
    await page.route('**/account/passkey', (route) => route.abort());
    await page.goto('/login');
    await fillLogin(page, email);
    await page.waitForURL('**/profile');
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await loggedIn({ layout });
    await offer(page).waitFor();
    await check(page);
  });
});
