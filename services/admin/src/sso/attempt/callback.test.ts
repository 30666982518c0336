import assert from 'node:assert/strict';
import { atOnce, someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import {
  ADMIN_URL,
  hasTokens,
  OTHER_RETURN_URL,
  RETURN_URL,
  personClaims,
  useSso,
  type Returned,
} from '../testing/browser.ts';
import { startAdmin } from '../../testing/index.ts';

describe('a sign-on at an identity provider', () => {
  const sso = useSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });

  it('returns working tokens in the provider’s parameters', async () => {
    const email = someEmail();
    const back = await sso.signOn('demo', personClaims(email));
    assert.ok(hasTokens(back), JSON.stringify(back));
    const shown = Object.keys(back.parameters).toSorted();
    assert.deepEqual(shown, ['authCallback', 'demo_refresh_token', 'demo_token']);
    assert.equal(back.returnUrl, RETURN_URL);
    assert.equal(back.headers['cache-control'], 'no-store');
    assert.equal(back.headers['referrer-policy'], 'no-referrer');

    const { id, role, signup, ...account } = (await sso.findAccount(email)) ?? assert.fail();
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${back.parameters['demo_token']}`);
    assert.equal(caller.kind === 'session' && caller.accountId, id);
    assert.deepEqual([role, signup, account.displayName], ['User', 'complete', 'Ann Other']);
    assert.deepEqual([account.isEmailVerified, account.passwordScheme], [true, null]);
  });

  /** The account of somebody who begins to sign on in a browser of this language. */
  const accountFrom = async (email: string, path: string, language = 'en') => {
    sso.recognise('demo', personClaims(email));
    const browser = sso.browser();
    const answer = await browser.get(`${ADMIN_URL}/auth/${path}`, { 'accept-language': language });
    await browser.get(await browser.visit(String(answer.headers['location'])));
    return sso.findAccount(email);
  };

  for (const [how, path, language, locale] of [
    ['of the page that began it', 'demo/login?locale=de', 'fr-CH, en;q=0.5', 'de'],
    ['that the browser prefers', 'demo/login', 'fr-CH, en;q=0.5', 'fr-CH'],
    ['English, if the browser names none', 'demo/login', '*', 'en'],
  ] as const)
    it(`gives a new account the language ${how}`, async () => {
      assert.equal((await accountFrom(someEmail(), path, language))?.locale, locale);
    });

  it('completes an account in the language of the sign-on, and then keeps that', async () => {
    const email = someEmail();
    await sso.boss.post('/admin/account', { Email: email }).expect(201);
    for (const locale of ['de', 'fr']) {
      const account = await accountFrom(email, `demo/login?locale=${locale}`);
      assert.deepEqual([account?.signup, account?.locale], ['complete', 'de']);
    }
  });

  it('sends a valid OpenID Connect request with the configured redirect URI', async () => {
    const browser = sso.browser();
    for (const headers of [
      {},
      { host: 'evil.test' },
      { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http', forwarded: 'host=evil.test' },
    ]) {
      const answer = await browser.get(`${ADMIN_URL}/auth/demo/login`, headers);
      const url = new URL(String(answer.headers['location']));
      assert.equal(url.origin, sso.provider('demo').issuer);
      const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(url.searchParams);
      for (const random of [state, nonce, challenge]) assert.match(random ?? '', /^[\w-]{43}$/);
      assert.deepEqual(rest, {
        client_id: 'gatehouse',
        response_type: 'code',
        redirect_uri: `${ADMIN_URL}/auth/demo/callback`,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
        // Any value makes the provider say when it authenticated the user; this one is a year.
        max_age: '31536000',
      });
    }
  });

  it('stores each attempt in an encrypted cookie', async () => {
    const browser = sso.browser();
    const state = new URL(await browser.begin('demo')).searchParams.get('state') ?? '';
    const [cookie] = browser.jar.all();
    assert.ok(!cookie?.text.includes(state));
    const text = Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1');
    assert.ok(!text.includes('gatehouse.test'));
  });

  it('clears the attempt when it ends, successful or not', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    assert.ok(hasTokens(await browser.signOn('demo')));
    assert.deepEqual(browser.jar.all(), []);
    const { searchParams } = new URL(await browser.begin('demo'));
    const refused = { state: searchParams.get('state') ?? '', error: 'access_denied' };
    const text = new URLSearchParams({ ...refused, iss: sso.provider('demo').issuer }).toString();
    const back = await browser.returnFromProvider(`${ADMIN_URL}/auth/demo/callback?${text}`);
    assert.deepEqual([back.returnUrl, back.parameters], [RETURN_URL, { error: 'access_denied' }]);
    assert.deepEqual(browser.jar.all(), []);
  });

  it('redirects to another allowed URL, whose query is kept, and is refused if that was removed from the settings', async () => {
    const query = `?returnUrl=${encodeURIComponent(OTHER_RETURN_URL)}`;
    const { browser, callback, cookie } = await sso.sentBack('demo', personClaims(someEmail()), query);
    const without = sso.settings.SSO_PROVIDERS.replaceAll(OTHER_RETURN_URL, RETURN_URL);
    const restarted = await startAdmin({}, sso.admin, { ...sso.settings, SSO_PROVIDERS: without });
    const refused = await restarted.http.get(callback.slice(ADMIN_URL.length)).set({ cookie });
    await restarted.stop();
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_attempt']);
    assert.equal(refused.headers['location'], undefined);
    const back = await browser.returnFromProvider(callback);
    assert.deepEqual([hasTokens(back), back.returnUrl], [true, OTHER_RETURN_URL]);
  });

  const returningTo = (url: string) => `returnUrl=${encodeURIComponent(url)}`;
  const [STATE, CHALLENGE] = [`state=${'s'.repeat(43)}`, `codeChallenge=${'c'.repeat(43)}`];
  const LINK = `link=${'t'.repeat(43)}`;
  for (const query of [
    ...[
      'https://evil.test/',
      `${RETURN_URL}/`,
      `${RETURN_URL}?x=1`,
      'https://app.gatehouse.test@evil.test/signed-in',
      'https://app.gatehouse.test\\@evil.test/signed-in',
      `${RETURN_URL}/../signed-in`,
      '//evil.test',
      '/signed-in',
      `${RETURN_URL}\r\nSet-Cookie: a=b`,
    ].map(returningTo),
    'returnUrl=a&returnUrl=b',
    STATE,
    'pages=true',
    'pages=true&state=short',
    `pages=true&state=${'x'.repeat(87)}`,
    `pages=true&${STATE}&${returningTo(RETURN_URL)}`,
    'console=true',
    `console=true&pages=true&${STATE}`,
    `console=true&${STATE}&${returningTo(RETURN_URL)}`,
    `confirm=true&${STATE}`,
    `pages=true&confirm=true&${STATE}`,
    'codeChallenge=short',
    `${CHALLENGE}=`,
    `${CHALLENGE}&pages=true&${STATE}`,
    LINK,
    `link=short&${STATE}`,
    ...['pages=true', 'console=true', returningTo(RETURN_URL)].map((more) => `${LINK}&${STATE}&${more}`),
  ])
    it(`does not begin with ${query}`, async () => {
      const answer = await sso.browser().get(`${ADMIN_URL}/auth/demo/login?${query}`);
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request']);
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(answer.headers['location'], undefined);
    });

  it('is refused for an unknown provider', async () => {
    const browser = sso.browser();
    for (const id of ['nobody', 'Demo', '__proto__'])
      for (const path of ['login', 'callback']) {
        const asked = path === 'callback' ? '?state=x&code=y' : '';
        const answer = await browser.get(`${ADMIN_URL}/auth/${id}/${path}${asked}`);
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${id} ${path}`);
      }
  });

  it('keeps working in a browser that starts many sign-ons, as a foreign page can trigger', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const begun: string[] = [];
    for (let time = 0; time < 60; time += 1) begun.push(await browser.begin('demo'));
    const sent = browser.jar.header(`${ADMIN_URL}/auth/demo/callback`);
    assert.ok(sent.length < 6000, `the cookies come to ${sent.length} characters`);
    for (const recent of begun.slice(-5))
      assert.ok(hasTokens(await browser.returnFromProvider(await browser.visit(recent))));
    const oldest = await browser.returnFromProvider(await browser.visit(begun[0] ?? ''));
    assert.deepEqual([oldest.status, oldest.body['code']], [400, 'invalid_attempt']);
  });

  it('issues tokens once, with repeated and concurrent callbacks', async () => {
    const { callback, cookie } = await sso.sentBack();
    const { seen } = sso.provider('demo');
    const before = seen.length;
    const answers = await atOnce(10, () => sso.browser().returnFromProvider(callback, { cookie }));
    assert.equal(answers.filter((answer) => hasTokens(answer)).length, 1);
    const others = answers.filter((answer) => !hasTokens(answer));
    for (const { status, returnUrl, parameters } of others)
      assert.deepEqual([status, returnUrl, parameters], [303, RETURN_URL, { error: 'invalid_attempt' }]);
    const later = await sso.browser().returnFromProvider(callback, { cookie });
    assert.deepEqual(later.parameters, { error: 'invalid_attempt' });
    const redeemed = seen.slice(before).filter((path) => path === '/token');
    assert.equal(redeemed.length, 1, 'the provider might accept a code twice, and is not asked');
  });

  it('expires after ten minutes by the database’s clock', async () => {
    const { app } = sso.admin;
    const browser = sso.browser();
    app.clock.now = () => Date.now() - 601_000;
    try {
      assert.deepEqual((await browser.signOn('demo')).parameters, { error: 'invalid_attempt' });
    } finally {
      app.clock.now = Date.now;
    }
  });

  it('leaves no address, code, token or cookie in the log', async () => {
    const { lines } = sso.admin.app;
    const before = lines.length;
    const email = someEmail();
    const { browser, callback } = await sso.sentBack('demo', personClaims(email));
    const cookie = browser.jar.all()[0]?.value ?? '';
    const back = await browser.returnFromProvider(callback);
    assert.ok(hasTokens(back));
    const secrets = [
      ...new URL(callback).searchParams.values(),
      ...Object.values(back.parameters),
      cookie,
      email,
      personClaims(email).sub,
    ].filter((text) => text !== 'true' && text !== sso.provider('demo').issuer);
    const line = await eventually(() =>
      lines
        .slice(before)
        .find((one) => one['accountId'] !== undefined && one['route'] === '/auth/:provider/callback'),
    );
    assert.deepEqual([line['provider'], typeof line['accountId']], ['demo', 'string']);
    const log = JSON.stringify(lines);
    for (const secret of secrets) assert.ok(!log.includes(secret), secret);
  });

  describe('in another browser', () => {
    const refused = (back: Returned): void => {
      assert.deepEqual([back.status, back.body['code']], [400, 'invalid_attempt']);
      assert.equal(back.headers['location'], undefined);
      assert.equal(back.headers['content-type'], 'application/problem+json');
    };

    it('is refused in a browser without the cookie (CSRF)', async () => {
      const { browser: mallory, callback } = await sso.sentBack();
      refused(await sso.browser().returnFromProvider(callback));
      const victim = sso.browser();
      await victim.begin('demo');
      refused(await victim.returnFromProvider(callback));
      // Tries in other browsers do not use the attempt up.
      assert.ok(hasTokens(await mallory.returnFromProvider(callback)));
    });

    it('is refused with another provider’s cookie, or one with another name', async () => {
      const { browser, callback, cookie } = await sso.sentBack();
      const elsewhere = callback.replace('/auth/demo/', '/auth/other/');
      refused(await sso.browser().returnFromProvider(elsewhere, { cookie }));
      const [own] = browser.jar.all();
      const other = sso.browser();
      const state = new URL(await other.begin('demo')).searchParams.get('state') ?? '';
      const [theirs] = other.jar.all();
      const swapped = { cookie: `${theirs?.name}=${own?.value}` };
      const address = `${ADMIN_URL}/auth/demo/callback?code=x&state=${state}`;
      refused(await sso.browser().returnFromProvider(address, swapped));
    });

    for (const [what, change] of [
      // Not the last character, because some of its bits are ignored.
      ['a changed cookie', (text: string) => text.replace(/.(?=..$)/, (one) => (one === 'A' ? 'B' : 'A'))],
      ['an empty cookie', (cookie: string) => cookie.replace(/=.*/, '=')],
      ['a cookie that another subdomain could have set', (cookie: string) => cookie.replace('__Host-', '')],
    ] as const)
      it(`is refused with ${what}`, async () => {
        const { callback, cookie } = await sso.sentBack();
        refused(await sso.browser().returnFromProvider(callback, { cookie: change(cookie) }));
      });

    it('is refused without parameters, with unknown and with repeated ones', async () => {
      for (const text of ['', '?state=x&code=y'])
        refused(await sso.browser().returnFromProvider(`${ADMIN_URL}/auth/demo/callback${text}`));
      const { browser, callback } = await sso.sentBack();
      const back = await browser.returnFromProvider(`${callback}&state=x`);
      assert.deepEqual([back.status, back.body['code']], [400, 'invalid_request']);
    });
  });
});
