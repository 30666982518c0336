import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import type { Page } from 'playwright-core';
import { cast, openRow, otherSite, scanQrCode, signOnWith, submit } from '../testing/index.ts';

describe('signing in with an identity provider on the login page', () => {
  const app = otherSite((_, response) => response.end(pageOf('<title>An app</title>')));
  let fields = '';
  const elsewhere = otherSite((_, response) => {
    const page = `<title>Submitting</title><body onload="document.forms[0].submit()">${fields}`;
    response.end(pageOf(page));
  });
  const appUrl = () => `${app.url}/signed-in`;
  const { site } = cast(() => ({ RETURN_URLS: appUrl() }));

  const signOn = async (email: string, search = '', keep = false): Promise<Page> => {
    const page = await site.openAt(`/login${search}`);
    if (keep) await page.getByLabel('Keep me signed in').check();
    await signOnWith(page, email);
    return page;
  };
  const exchange = async (address: string): Promise<string> => {
    const { body, status, headers } = await site.post('/account/handover/exchange', {
      HandoverCode: new URL(address).hash.replace('#HandoverCode=', ''),
    });
    assert.equal(status, 204, JSON.stringify(body));
    return headers.get('set-cookie') ?? '';
  };

  it('opens the account pages, and leaves no code in the URL or the tab', async () => {
    const email = someEmail();
    const page = await signOn(email);
    await page.getByRole('banner').getByText(email).waitFor();
    assert.equal(page.url(), `${site.origin}/profile`);
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await page.goBack();
    assert.ok(!page.url().includes('HandoverCode'), page.url());
  });

  it('takes an answer by a form post from another site, whose redirect has the cookie', async () => {
    // Another site than the pages: those are at this host's name.
    const origin = elsewhere.url.replace('127.0.0.1', 'localhost');
    const email = someEmail();
    const page = await site.openAt('/login');
    await page.locator('button', { hasText: /Continue with/ }).click();
    await page.locator('input[name=login]').waitFor();
    const { request } = page.context();
    const form = { login: email };
    let sent = await request.post(page.url(), { form, maxRedirects: 0 });
    let answer = new URL(sent.headers()['location'] ?? '', page.url());
    while (!answer.pathname.endsWith('/callback')) {
      sent = await request.get(answer.href, { maxRedirects: 0 });
      answer = new URL(sent.headers()['location'] ?? '', answer);
    }
    const inputs = [...answer.searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`);
    fields = `<form method="post" action="${answer.origin}${answer.pathname}">${inputs.join('')}</form>`;
    await page.goto(origin);
    await page.getByRole('banner').getByText(email).waitFor();
    assert.equal(page.url(), `${site.origin}/profile`);
  });

  it('redirects to an app on another origin with a code that its server exchanges, as a password login does', async () => {
    const CodeVerifier = randomBytes(32).toString('base64url');
    const codeChallenge = createHash('sha256').update(CodeVerifier).digest('base64url');
    const state = randomBytes(32).toString('base64url');
    const safe = new URLSearchParams({ returnUrl: appUrl(), state, codeChallenge }).toString();
    const page = await signOn(someEmail(), `?${safe}`);
    await page.waitForURL(`${appUrl()}#*`);
    const back = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    assert.equal(back['State'], state);
    const { HandoverCode } = back;
    const exchanged = await site.post('/account/handover/exchange', { HandoverCode, CodeVerifier });
    assert.equal(exchanged.status, 204);

    const login = `?${new URLSearchParams({ returnUrl: appUrl() }).toString()}`;

    const other = await site.openAndLogIn(await site.newAccount(), `/login${login}`);
    await other.waitForURL(`${appUrl()}#*`);
    assert.match(await exchange(other.url()), /^gatehouse-pages=/);
  });

  it('sets up a second factor with a code by mail, as there is no password', async () => {
    const email = someEmail();
    const page = await signOn(email);
    await page.waitForURL('**/profile');
    await openRow(page, 'Two-factor authentication', '/profile/security');
    await page.getByText('We have sent a code to your email address.').waitFor();
    await submit(page, { 'Code from the email': 'AAAA-AAAA' }, 'Continue');
    await page.getByText('That code is wrong, has been used or has expired').first().waitFor();
    await submit(page, { 'Code from the email': await site.mailedCode(email) }, 'Continue');
    const authenticator = await scanQrCode(page);
    await page.locator('input[name=TwoFactorCode]').fill(await authenticator.nextCode());
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  });

  it('proves the identity of a user without a password, if the provider asks again', async () => {
    const email = someEmail();
    const page = await signOn(email);
    await page.waitForURL('**/profile');
    await site.forgetConfirmation(email);
    await page.goto('/profile/data');
    const download = page.getByRole('button', { name: 'Download' });
    await download.click();
    await page.getByText('You have no password: sign in again with your provider.').waitFor();
    await signOnWith(page, email);
    await page.waitForURL('**/profile/data');
    await Promise.all([page.waitForEvent('download'), download.click()]);
  });

  it('persists when the browser is closed, if selected', async () => {
    for (const keep of [false, true]) {
      const page = await signOn(someEmail(), '', keep);
      await page.waitForURL('**/profile');
      const cookies = await page.context().cookies(site.origin);
      const own = cookies.find(({ name }) => name === 'gatehouse-pages');
      assert.equal((own?.expires ?? 0) > 0, keep);
    }
  });

  it('shows errors in the user’s language, also where the cookie is missing or a link has a foreign code, which stays unused', async () => {
    const page = await site.openAt(
      `${site.stack.facts.adminUrl}/auth/demo/callback?state=pages.${'a'.repeat(43)}&code=x`,
      { locale: 'de' },
    );
    await page.getByText('Diese Anmeldung hat zu lange gedauert').waitFor();
    assert.equal(page.url(), `${site.origin}/login`);
    const { Token } = await site.login(await site.newAccount());
    const { body } = await site.post('/account/handover', {}, Token);
    await page.goto(`/login${new URL(String(body['Url'])).hash}&State=${'a'.repeat(64)}`);
    await page.getByText('nicht in diesem Tab begonnen').waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    assert.match(await exchange(String(body['Url'])), /^gatehouse-pages=/);

    await page.goto('/login');
    await signOnWith(page, `unverified-${someEmail()}`);
    await page.getByText('Ihr Anbieter hat Ihre E-Mail-Adresse nicht bestätigt.').waitFor();
    assert.equal(page.url(), `${site.origin}/login`);
  });
});

function pageOf(html: string): string {
  return `<!doctype html><link rel="icon" href="data:,">${html}`;
}
