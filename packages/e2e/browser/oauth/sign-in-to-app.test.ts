import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import {
  cast,
  expectNoViolations,
  fillLogin,
  itInEveryLayout,
  logIn,
  otherSite,
  type Site,
  submit,
} from '../testing/index.ts';
import { claimsIn, appOf } from './testing-app.ts';

describe('signing in to an app', () => {
  const { site } = cast();
  const app = appOf(site);
  const broker = otherSite((_, response) => {
    response.writeHead(303, { Location: `${app.origin}/welcome` }).end();
  });

  const answerOf = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(`${app.callback}?*`);
    return new URL(page.url()).searchParams;
  };
  /** Lets the app in, and returns its answer. */
  const allow = async (page: Page): Promise<URLSearchParams> => {
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    return answerOf(page);
  };

  itInEveryLayout('asks for consent so that everybody can use it', async (layout, check) => {
    const { page } = await site.signedIn(layout);
    await page.goto(app.newRequest(await app.newClient(), { scope: 'openid email <b>orders</b>' }).path);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await page.getByText('<b>orders</b>').waitFor();
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    await check(page);
  });

  it('leads through login and consent to the app, the next time without the login, and back if the user cancels', async () => {
    const [email, clientId] = [await site.newAccount(), await app.newClient()];
    const page = await site.openPage();
    const first = app.newRequest(clientId, { login_hint: email });
    await page.goto(first.path);
    await page.getByText('Continue to Reports.').waitFor();
    assert.equal(await page.getByLabel('Email address').inputValue(), email);
    await fillLogin(page, email);
    await page.getByText(`Reports would like to use your account ${email}.`).waitFor();
    assert.equal(page.url(), `${site.origin}${first.path}`);
    const answer = await allow(page);
    assert.deepEqual([answer.get('state'), answer.get('iss')], [first.state, site.stack.facts.baseUrl]);
    const tokens = await app.exchange(clientId, first.verifier, page.url());
    assert.equal(claimsIn(tokens.id_token)['email'], email);

    const second = app.newRequest(clientId);
    await page.goto(site.origin + second.path);
    assert.equal((await allow(page)).get('state'), second.state);

    await page.goto(site.origin + app.newRequest(clientId).path);
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await answerOf(page)).get('error'), 'access_denied');
  });

  it('posts the answer to an app that wants a form, also if that sends the browser on to another origin', async () => {
    const addresses = { callback: `${broker.url}/callback`, goodbye: app.goodbye };
    const asked = { response_mode: 'form_post', redirect_uri: addresses.callback };
    const { path, state } = app.newRequest(await app.newClient({ addresses }), asked);
    const page = await site.openAndLogIn(await site.newAccount(), path);
    const posted = page.waitForRequest(addresses.callback);
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    const fields = new URLSearchParams((await posted).postData() ?? '');
    assert.equal(fields.get('state'), state);
    assert.match(fields.get('code') ?? '', /^\S{20,}$/);
    await page.waitForURL(`${app.origin}/welcome`);
  });

  it('stays signed in where the app says so, until its owner ends it', async () => {
    const clientId = await app.newClient({ name: 'Telly', grants: 'own' });
    const { page } = await site.signedIn();
    const tokens: string[] = [];
    for (let device = 1; device <= 3; device += 1) {
      const { path, verifier } = app.newRequest(clientId);
      await page.goto(site.origin + path);
      await page.getByText('Access until you end it, also when you are signed out here').waitFor();
      await allow(page);
      tokens.push((await app.exchange(clientId, verifier, page.url())).refresh_token);
    }
    await page.goto(`${site.origin}/profile/apps`);
    const devices = page
      .getByRole('region', { name: 'Agents and devices' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button') });
    await expectNoViolations(devices.nth(2));
    await devices.first().getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Telly is signed out.').waitFor();
    await devices.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out all' }).click();
    await page.getByText('All of them are signed out.').waitFor();
    for (const token of tokens) assert.equal(await app.refresh(clientId, token), 400);
    await page.getByText('Telly').first().waitFor();
  });

  it('returns to the app after a registration that was confirmed in another tab', async () => {
    const email = site.someEmail();
    const request = app.newRequest(await app.newClient());
    const page = await site.openAt(request.path);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await submit(page, { 'Email address': email, Password: PASSWORD }, 'Create account');
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(await site.mailedLink(email, '/verify-email'));
    await other.getByRole('button', { name: 'Confirm' }).click();
    // The tab of the registration signs in and goes on.
    assert.equal((await allow(page)).get('state'), request.state);
  });

  it('keeps the requests of several tabs apart', async () => {
    const [email, clientId] = [await site.newAccount(), await app.newClient()];
    const first = await site.openPage();
    const second = await first.context().newPage();
    const requests = [app.newRequest(clientId), app.newRequest(clientId)] as const;
    await first.goto(requests[0].path);
    await logIn(second, email, requests[1].path);
    assert.equal((await allow(second)).get('state'), requests[1].state);
    // The browser is signed in now: the first tab needs no login any more.
    await first.goto(site.origin + requests[0].path);
    assert.equal((await allow(first)).get('state'), requests[0].state);
    await app.exchange(clientId, requests[0].verifier, first.url());
  });

  it('has the same session proved again, once, if the app wants to be sure', async () => {
    const clientId = await app.newClient();
    const { page, email } = await site.signedIn();
    const before = (await page.context().cookies()).find(({ name }) => name === 'gatehouse-pages');
    const request = app.newRequest(clientId, { prompt: 'login' });
    await page.goto(request.path);
    await page.getByText(`The app wants to be sure that you are ${email}.`).waitFor();
    await submit(page, { Password: 'a wrong password' }, 'Continue');
    await page.getByText('This is not your current password').first().waitFor();
    await submit(page, { Password: PASSWORD }, 'Continue');
    await allow(page);
    await app.exchange(clientId, request.verifier, page.url());
    const after = (await page.context().cookies()).find(({ name }) => name === 'gatehouse-pages');
    assert.equal(after?.value, before?.value);
  });

  it('stays on our page with the reason if the address to return to is not the app’s', async () => {
    const { page } = await site.signedIn();
    const request = app.newRequest(await app.newClient(), { redirect_uri: `${app.origin}/elsewhere` });
    await page.goto(request.path);
    await page.getByText('The address to return to does not belong to the app.').waitFor();
    await page.getByText('redirect_uri_mismatch').waitFor();
    assert.equal(page.url(), `${site.origin}${request.path}`);
  });

  it('can be asked for with a form that is as long as an address may be', async () => {
    for (const path of ['/oauth/authorize', '/oauth/logout']) {
      const body = new URLSearchParams({ id_token_hint: 'x'.repeat(8000) });
      const answer = await fetch(site.origin + path, { method: 'POST', body });
      assert.match(await answer.text(), /^<!doctype html>/);
      assert.deepEqual([answer.status, answer.url], [200, `${site.origin}${path}?${body.toString()}`]);
    }
  });

  it('can be asked for with a form, and in a language', async () => {
    const page = await site.openPage();
    const { path, state } = app.newRequest(await app.newClient(), { ui_locales: 'fr de' });
    const fields = [...new URL(path, site.origin).searchParams];
    const inputs = fields.map(([name, value]) => `<input name="${name}" value="${value}">`);
    await page.goto(app.origin);
    await page.setContent(
      `<form method="post" action="${site.origin}/oauth/authorize">${inputs.join('')}<button>Send</button></form>`,
    );
    await page.getByRole('button').click();
    await page.waitForURL('**/login?*');
    assert.ok(page.url().includes(state));
    await fillLogin(page, await site.newAccount());
    await page.getByRole('heading', { name: 'Bei Reports anmelden?' }).waitFor();
  });
});

describe('leaving an app', () => {
  const { site } = cast();
  const app = appOf(site);
  let clientId: string;
  before(async () => (clientId = await app.newClient()));

  const signedIn = async (options: Parameters<Site['openPage']>[0] = {}) => {
    const { page } = await site.signedIn(options);
    return { page, ...(await app.signIn(page, clientId)) };
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
    await expectNoViolations(page.getByRole('heading', { name: 'You are signed out' }));
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
    const { page, id_token: token } = await signedIn(layout);
    const insert = `insert into client_session (
         id, client_id, account_id, scopes, refresh_current, refresh_next, ip_address, user_agent)
       select gen_random_uuid(), :clientId, :accountId, '{openid}', '', '', '2001:db8:1234:5678:9abc:def0:1234:5678',
         'television/1.0 (a program with a rather long name of its own)'
       from generate_series(1, 2)`;
    await site.sql(insert, { clientId, accountId: String(claimsIn(token)['sub']) });
    await page.goto(`${site.origin}/profile/apps`);
    await check(page.getByText('Reports').nth(2));
  });
});
