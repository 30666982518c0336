import assert from 'node:assert/strict';
import { authenticator, moveClock } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const COOKIE =
  /^__Host-gatehouse=(2\.pages\.[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}\.[\w-]{43}); Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('POST /account/login with Delivery "Cookie"', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const attempt = (body: object, headers: Record<string, string> = {}) =>
    core.post('/account/login', { Delivery: 'Cookie', ...body }, headers);
  const withPassword = (email: string) => ({ Username: email, Password: PASSWORD });
  const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => {
    const lines = headers['set-cookie'];
    assert.ok(Array.isArray(lines) && lines.length === 1, 'one cookie');
    return String(lines[0]);
  };
  const shown = (line: string) => ({ cookie: line.split(';')[0] ?? '', ...SAME_ORIGIN });
  const pingWith = (headers: Record<string, string>) => core.post('/account/ping', {}, headers);

  it('sets a session cookie and returns no token', async () => {
    const email = await core.newAccount();
    const answer = await attempt(withPassword(email), SAME_ORIGIN).expect(200, { ExpirationSeconds: 7200 });
    const line = cookieOf(answer);
    assert.match(line, COOKIE);
    assert.equal(answer.headers['cache-control'], 'no-store');
    await pingWith(shown(line)).expect(200, { PingStatus: 1 });
  });

  it('sets a persistent cookie for the lifetime of the session, on request', async () => {
    const email = await core.newAccount();
    const line = cookieOf(await attempt({ ...withPassword(email), KeepSignedIn: true }));
    assert.match(line, /; Max-Age=2592000;/);
    const other = cookieOf(await attempt({ ...withPassword(email), KeepSignedIn: false }));
    assert.doesNotMatch(other, /Max-Age|Expires/i);
  });

  it('returns the idle timeout, at most the remaining lifetime', async () => {
    const brief = await startCore({ SESSION_MAX_SECONDS: 60 }, core);
    try {
      const body = { ...withPassword(await core.newAccount()), Delivery: 'Cookie', KeepSignedIn: true };
      const answer = await brief.post('/account/login', body).expect(200, { ExpirationSeconds: 60 });
      assert.match(cookieOf(answer), /; Max-Age=60;/);
    } finally {
      await brief.stop();
    }
  });

  it('gives an administrator only the rights of a user, as Portal can create such a cookie', async () => {
    const email = await core.newAccount();
    await query(core.app.db, `update account set role = 'Admin' where email = ?`, [email]);
    const { Token } = await core.login(email);
    const roleBy = async (headers: Record<string, string>) =>
      (await core.http.get('/ping/auth').set(headers).expect(200)).headers['x-auth-role'];
    assert.equal(await roleBy({ authorization: `Bearer ${Token}` }), 'Admin');
    assert.equal(await roleBy(shown(cookieOf(await attempt(withPassword(email))))), 'User');
  });

  it('replaces the account’s earlier session, as any login does', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    const first = cookieOf(await attempt(withPassword(email)));
    assert.equal(await core.pingWith(Token), 4);
    const second = cookieOf(await attempt(withPassword(email)));
    assert.equal((await pingWith(shown(first)).expect(200)).body.PingStatus, 4);
    await pingWith(shown(second)).expect(200, { PingStatus: 1 });
  });

  it('requires a second factor as usual before it sets the cookie', async () => {
    const owner = await newOwner(core);
    const asked = await attempt(owner.withPassword).expect(200);
    assert.equal(asked.headers['set-cookie'], undefined);
    assert.deepEqual(Object.keys(asked.body), ['LoginStatus', 'TwoFactorToken', 'SecondFactors']);
    const { TwoFactorToken } = asked.body as { TwoFactorToken: string };
    const wrong = await attempt({ TwoFactorToken, TwoFactorCode: owner.phone.wrongCode() }).expect(404);
    assert.equal(wrong.headers['set-cookie'], undefined);
    const done = await attempt({ TwoFactorToken, TwoFactorCode: owner.phone.nextCode() }).expect(200);
    assert.match(cookieOf(done), COOKIE);
    assert.deepEqual(done.body, { ExpirationSeconds: 7200 });
  });

  it('shows the recovery codes of a second factor that it has set up', async () => {
    const email = await core.newAccount();
    await query(core.app.db, 'update account set two_factor_required = true where email = ?', [email]);
    const { body } = await attempt(withPassword(email)).expect(200);
    const { TwoFactorToken, TwoFactorSetup } = body as {
      TwoFactorToken: string;
      TwoFactorSetup: { Secret: string };
    };
    const TwoFactorCode = authenticator(core.app, TwoFactorSetup.Secret).nextCode();
    const done = await attempt({ TwoFactorToken, TwoFactorCode }).expect(200);
    assert.match(cookieOf(done), COOKIE);
    const { RecoveryCodes, ...rest } = done.body as { RecoveryCodes: string[] };
    assert.deepEqual([RecoveryCodes.length > 0, rest], [true, { ExpirationSeconds: 7200 }]);
  });

  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://gatehouse.test' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ]) {
    it(`refuses a page of another site (${Object.values(headers).join(', ')}), and logs nobody in`, async () => {
      const email = await core.newAccount();
      const { Token } = await core.login(email);
      const answer = await attempt(withPassword(email), headers).expect(403);
      assert.deepEqual([answer.body.code, answer.headers['set-cookie']], ['cross_site', undefined]);
      assert.equal(await core.pingWith(Token), 1);
    });
  }

  it('accepts a page of a browser that sends only an Origin header', async () => {
    const email = await core.newAccount();
    await attempt(withPassword(email), { origin: 'https://gatehouse.test' }).expect(200);
  });

  it('gives no cookie for a wrong password', async () => {
    const answer = await attempt({ ...withPassword(await core.newAccount()), Password: 'wrong' }).expect(404);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  it('refuses other values, and a persistent session without a cookie', async () => {
    const given = withPassword(await core.newAccount());
    for (const [body, pointer] of [
      [{ ...given, Delivery: 'cookie' }, '/Delivery'],
      [{ ...given, Delivery: true }, '/Delivery'],
      [{ ...given, KeepSignedIn: 'yes' }, '/KeepSignedIn'],
      [{ ...given, KeepSignedIn: true, Delivery: 'Tokens' }, '/KeepSignedIn'],
      [{ ...given, KeepSignedIn: true, Delivery: undefined }, '/KeepSignedIn'],
    ] as const) {
      const { body: problem } = await attempt(body).expect(400);
      assert.equal(problem.errors[0].pointer, pointer, JSON.stringify(body));
    }
    const { body } = await attempt({ ...given, Delivery: 'Tokens' }).expect(200);
    assert.deepEqual(Object.keys(body as object), ['Token', 'RefreshToken', 'ExpirationSeconds']);
  });

  it('sets no cookie over http, except on localhost', async () => {
    const given = { ...withPassword(await core.newAccount()), Delivery: 'Cookie' };
    const plain = await startCore({ ISSUER: 'http://auth.example.com' }, core);
    const local = await startCore({ ISSUER: 'http://127.0.0.1:8080' }, core);
    try {
      const refused = await plain.post('/account/login', given).expect(400);
      assert.deepEqual([refused.body.code, refused.headers['set-cookie']], ['invalid_request', undefined]);
      const line = cookieOf(await local.post('/account/login', given).expect(200));
      assert.match(line, /^gatehouse-pages=2\.pages\.[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
      await local.post('/account/ping', {}, shown(line)).expect(200, { PingStatus: 1 });
      await plain.post('/account/ping', {}, shown(line)).expect(401);
    } finally {
      await local.stop();
      await plain.stop();
    }
  });

  it('is cleared by a logout, which ends the session', async () => {
    const email = await core.newAccount();
    const line = cookieOf(await attempt(withPassword(email)));
    const out = await core.post('/account/logout', {}, shown(line)).expect(200, {});
    assert.equal(cookieOf(out), '__Host-gatehouse=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure');
    assert.equal(out.headers['clear-site-data'], '"cache"');
    await pingWith(shown(line)).expect(401);
    const { Token } = await core.login(email);
    const other = await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    assert.equal(other.headers['clear-site-data'], undefined);
    assert.equal(other.headers['set-cookie'], undefined);
  });
});
