import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, expectNoViolations, itInEveryLayout, type Site } from '../testing/index.ts';
import { appOf } from './testing-app.ts';

describe('leaving an app', () => {
  const { site } = cast();
  const app = appOf(site);
  let clientId: string;
  before(async () => {
    clientId = await app.newClient();
  });

  const signedIn = async (options: Parameters<Site['openPage']>[0] = {}) => {
    const { page } = await site.signedIn({ ...options, origins: [app.origin] });
    const { path, verifier } = app.newRequest(clientId);
    await page.goto(path);
    await page.getByRole('button', { name: /Allow|Zulassen/, disabled: false }).click();
    await page.waitForURL(`${app.callback}?*`);
    return { page, ...(await app.exchange(clientId, verifier, page.url())) };
  };
  const signOut = (page: Page, asked: Record<string, string>) =>
    page.goto(`${site.origin}/oauth/logout?${new URLSearchParams(asked).toString()}`);
  const isSignedIn = async (page: Page): Promise<boolean> => {
    await page.goto(`${site.origin}/profile`);
    await page.waitForURL(/\/(login|profile)/);
    const row = page.getByRole('button', { name: 'Change Name' });
    await row.or(page.getByRole('heading', { name: 'Sign in' })).waitFor();
    return row.isVisible();
  };

  it('ends the session of the app’s ID token without a question, and returns to the app', async () => {
    const { page, id_token: hint, refresh_token: token } = await signedIn();
    const asked = { id_token_hint: hint, post_logout_redirect_uri: app.goodbye, state: 'a&b' };
    await signOut(page, asked);
    await page.waitForURL(`${app.goodbye}?state=a%26b`);
    assert.equal(await app.refresh(clientId, token), 400);
    assert.equal(await isSignedIn(page), false);
  });

  it('asks whoever comes by a link, and does nothing if they stay', async () => {
    const { page, refresh_token: token } = await signedIn();
    await signOut(page, { client_id: clientId, post_logout_redirect_uri: app.goodbye });
    await page.getByText('Reports asks you to sign out.').waitFor();
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    assert.equal(await app.refresh(clientId, token), 200);
    await signOut(page, { client_id: clientId, post_logout_redirect_uri: app.goodbye });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(app.goodbye);
    assert.equal(await app.refresh(clientId, token), 400);
  });

  it('goes to no address that the app has not registered', async () => {
    const { page, id_token: hint } = await signedIn();
    await signOut(page, { id_token_hint: hint, post_logout_redirect_uri: `${app.origin}/elsewhere` });
    await page.getByRole('heading', { name: 'You are still signed in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out here anyway' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await expectNoViolations(page);
  });

  it('is possible on the account pages, and ends what the app has', async () => {
    const { page, refresh_token: token } = await signedIn();
    await page.goto(`${site.origin}/profile/apps`);
    await page.getByText('Reports').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Reports is removed.').waitFor();
    await page.getByText('You have not signed in to any app yet.').waitFor();
    assert.equal(await app.refresh(clientId, token), 400);
  });

  itInEveryLayout('can be used by everybody on the page of apps', async (layout, check) => {
    const { page } = await signedIn(layout);
    await page.goto(`${site.origin}/profile/apps`);
    await page.getByText('Reports').waitFor();
    await check(page);
  });
});
