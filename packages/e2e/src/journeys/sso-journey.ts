import assert from 'node:assert/strict';
import { startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';
import { openBrowser, type Page } from '../testing/browser.ts';
import { PASSWORD, type World } from '../testing/index.ts';

/** Tests single sign-on at the demo provider, in a browser, with any stack that has it. */
export function testSsoJourney(given: () => World): void {
  let world: World;
  let home: string;
  before(() => {
    world = given();
    home = world.stack.facts.sso.returnUrls[0] ?? '';
  });

  const loginUrl = (query = ''): string => {
    const { adminUrl, ssoProvider } = world.stack.facts;
    return `${adminUrl}/auth/${ssoProvider}/login${query}`;
  };
  const signOn = async (email: string, browser = openBrowser(home)): Promise<URLSearchParams> => {
    const page = await browser.go(loginUrl());
    return found(page.url.startsWith(home) ? page : await browser.submit(page, { login: email }));
  };
  const found = (page: Page): URLSearchParams => {
    assert.ok(page.url.startsWith(home), `${page.url} ${page.status} ${page.text}`);
    return new URL(page.url).searchParams;
  };
  const renew = async (refreshToken: string | null) => {
    const { adminUrl, ssoProvider } = world.stack.facts;
    const answer = await fetch(`${adminUrl}/api/auth/${ssoProvider}/renew`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    const body = (await answer.json()) as { token: string; refreshToken: string; code: string };
    return { status: answer.status, body };
  };

  it('signs on, and renews with the same token until a password login replaces the session', async () => {
    const email = await world.newAccount();
    const parameters = await signOn(email);
    assert.deepEqual([...parameters.keys()], ['authCallback', 'demo_token', 'demo_refresh_token']);
    assert.equal(parameters.get('authCallback'), 'true');
    assert.equal(await world.pingStatus(parameters.get('demo_token') ?? ''), 1);

    const refreshToken = parameters.get('demo_refresh_token');
    for (let time = 0; time < 10; time += 1) {
      const { status, body } = await renew(refreshToken);
      assert.deepEqual([status, body.refreshToken], [200, refreshToken]);
      assert.equal(await world.pingStatus(body.token), 1);
    }
    await world.login(email);
    assert.equal(await world.pingStatus(parameters.get('demo_token') ?? ''), 4);
    const { status, body } = await renew(refreshToken);
    assert.deepEqual([status, body.code], [401, 'session_replaced']);
  });

  it('ends the session in every service when the user signs out at the provider, and ignores a forged logout token', async () => {
    const { adminUrl, ssoProvider, idpUrl = '' } = world.stack.facts;
    const [email, browser] = [world.someEmail(), openBrowser(home)];
    const parameters = await signOn(email, browser);
    const other = await signOn(world.someEmail());
    const codes = async ({ token, refreshToken }: Record<string, string | null>) => {
      const [core, portal] = ['/account/passkey', '/account/session'].map(async (path) => {
        const { status, body } = await world.call('GET', path, undefined, token ?? '');
        return status === 200 ? 200 : body['code'];
      });
      const { status, body } = await renew(refreshToken ?? null);
      return [await core, await portal, status === 200 ? 200 : body.code];
    };
    const tokensOf = (from: URLSearchParams) => ({
      token: from.get('demo_token'),
      refreshToken: from.get('demo_refresh_token'),
    });
    const liar = await startProvider();
    try {
      const sub = Buffer.from(email).toString('base64url');
      const answer = await fetch(`${adminUrl}/auth/${ssoProvider}/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: liar.logoutToken({ iss: idpUrl, sub }) }),
      });
      assert.equal(answer.status, 400);
    } finally {
      await liar.stop();
    }
    assert.deepEqual(await codes(tokensOf(parameters)), [200, 200, 200]);

    const page = await browser.go(idpUrl);
    assert.ok(page.text.includes(email), page.text);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const done = await browser.submit(page, { xsrf, logout: 'yes' });
    assert.match(done.text, /You are signed out of this provider/);
    assert.deepEqual(await codes(tokensOf(parameters)), ['session_ended', 'session_ended', 'session_ended']);
    assert.deepEqual(await codes(tokensOf(other)), [200, 200, 200]);
  });

  it('reports an unverified email and a cancelled sign-on', async () => {
    const email = `unverified-${world.someEmail()}`;
    await world.post('/account/register', { Email: email, Password: PASSWORD });
    for (const unverified of [email, `unverified-${world.someEmail()}`]) {
      assert.deepEqual([...(await signOn(unverified))], [['error', 'email_not_verified']]);
    }

    const browser = openBrowser(home);
    const page = await browser.go(loginUrl());
    const cancelled = await browser.go(new URL('cancel', `${page.url}/`).href);
    assert.equal(found(cancelled).get('error'), 'access_denied');
  });

  it('does not sign on to seeded accounts, in any spelling', async () => {
    const { admin: administrator, seed } = world.stack.facts;
    for (const email of [
      administrator.Email,
      administrator.Email.toUpperCase(),
      administrator.Email.replace('@g', '@\uFF47'),
      administrator.Email.replace('.example', '\u3002example'),
      seed.user.Email,
    ]) {
      assert.equal((await signOn(email)).get('error'), 'email_not_verified', email);
    }
  });

  it('shows an invalid email at the form', async () => {
    const browser = openBrowser(home);
    const page = await browser.go(loginUrl());
    const again = await browser.submit(page, { login: '"><script>alert(1)</script>' });
    assert.deepEqual([again.status, again.text.includes('<script>')], [400, false]);
    const done = await browser.submit(again, { login: world.someEmail() });
    assert.equal(found(done).get('authCallback'), 'true');
  });
}
