import assert from 'node:assert/strict';
import { authenticator, moveClock } from '@gatehouse/accounts/testing';
import { cast, pingsOf, type Person } from '../../testing/cast.ts';
import { PASSWORD } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const COOKIE =
  /^__Host-gatehouse=(2\.pages\.[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}\.[\w-]{43}); Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('POST /account/login with Delivery "Cookie"', () => {
  const { core, another, someone, member } = cast({});
  before(() => moveClock(core().app, 0));

  const logsIn = (ann: Person, more: object = {}, headers: Record<string, string> = {}) =>
    ann.logsIn(PASSWORD, { Delivery: 'Cookie', ...more }).set(headers);
  const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => {
    const lines = headers['set-cookie'];
    assert.ok(Array.isArray(lines) && lines.length === 1, 'one cookie');
    return String(lines[0]);
  };
  const shown = (line: string) => ({ cookie: line.split(';')[0] ?? '', ...SAME_ORIGIN });
  const pingWith = (headers: Record<string, string>, at = core()) => at.post('/account/ping', {}, headers);

  it('sets a session cookie and returns no token', async () => {
    const answer = await logsIn(await member(), {}, SAME_ORIGIN).expect(200, { ExpirationSeconds: 7200 });
    assert.match(cookieOf(answer), COOKIE);
    assert.equal(answer.headers['cache-control'], 'no-store');
    await pingWith(shown(cookieOf(answer))).expect(200, { PingStatus: 1 });
  });

  it('sets a persistent cookie for the lifetime of the session, on request', async () => {
    const ann = await member();
    assert.match(cookieOf(await logsIn(ann, { KeepSignedIn: true })), /; Max-Age=2592000;/);
    assert.doesNotMatch(cookieOf(await logsIn(ann, { KeepSignedIn: false })), /Max-Age|Expires/i);
    const { body } = await ann.logsIn(PASSWORD, { KeepSignedIn: true }).expect(400);
    assert.equal(body.errors[0].pointer, '/KeepSignedIn');
  });

  it('returns the idle timeout, at most the remaining lifetime', async () => {
    const ann = (await member()).at(await another({ SESSION_MAX_SECONDS: 60 }));
    const answer = await logsIn(ann, { KeepSignedIn: true }).expect(200, { ExpirationSeconds: 60 });
    assert.match(cookieOf(answer), /; Max-Age=60;/);
  });

  it('gives an administrator only the rights of a user, as Portal can create such a cookie', async () => {
    const ann = await member({ role: 'Admin' });
    const { headers } = await (await ann.session()).isChecked().expect(200);
    assert.equal(headers['x-auth-role'], 'Admin');
    const check = core()
      .http.get('/ping/auth')
      .set(shown(cookieOf(await logsIn(ann))));
    assert.equal((await check.expect(200)).headers['x-auth-role'], 'User');
  });

  it('replaces the account’s earlier session, as any login does', async () => {
    const ann = await member();
    const session = await ann.session();
    const first = cookieOf(await logsIn(ann));
    assert.equal(await session.pings(), 4);
    const second = cookieOf(await logsIn(ann));
    assert.equal((await pingWith(shown(first)).expect(200)).body.PingStatus, 4);
    await pingWith(shown(second)).expect(200, { PingStatus: 1 });
  });

  it('requires a second factor as usual before it sets the cookie', async () => {
    const { email, phone } = await newOwner(core());
    const ann = someone(email);
    const asked = await logsIn(ann).expect(200);
    assert.equal(asked.headers['set-cookie'], undefined);
    assert.deepEqual(Object.keys(asked.body), ['LoginStatus', 'TwoFactorToken', 'SecondFactors']);
    const { TwoFactorToken } = asked.body as { TwoFactorToken: string };
    const second = (TwoFactorCode: string) =>
      ann.post('/account/login', { Delivery: 'Cookie', TwoFactorToken, TwoFactorCode });
    const wrong = await second(phone.wrongCode()).expect(404);
    assert.equal(wrong.headers['set-cookie'], undefined);
    const done = await second(phone.nextCode()).expect(200, { ExpirationSeconds: 7200 });
    assert.match(cookieOf(done), COOKIE);
  });

  it('shows the recovery codes of a second factor that it has set up', async () => {
    const ann = await member();
    await ann.set('two_factor_required = true');
    const { TwoFactorToken, TwoFactorSetup } = (await logsIn(ann).expect(200)).body;
    const TwoFactorCode = authenticator(core().app, String(TwoFactorSetup.Secret)).nextCode();
    const given = { Delivery: 'Cookie', TwoFactorToken, TwoFactorCode };
    const done = await ann.post('/account/login', given).expect(200);
    assert.match(cookieOf(done), COOKIE);
    const { RecoveryCodes, ...rest } = done.body as { RecoveryCodes: string[] };
    assert.deepEqual([RecoveryCodes.length > 0, rest], [true, { ExpirationSeconds: 7200 }]);
  });

  it('refuses a page of another site, and logs nobody in', async () => {
    const ann = await member();
    const session = await ann.session();
    for (const headers of [
      { 'sec-fetch-site': 'same-site', origin: 'https://gatehouse.test' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
    ]) {
      const { body, headers: answered } = await logsIn(ann, {}, headers).expect(403);
      assert.deepEqual([body.code, answered['set-cookie']], ['cross_site', undefined]);
    }
    assert.deepEqual(await pingsOf([session]), [1]);
    // Some browsers send only this.
    await logsIn(ann, {}, { origin: 'https://gatehouse.test' }).expect(200);
  });

  it('sets no cookie over http, except on localhost', async () => {
    const ann = await member();
    const plain = await another({ ISSUER: 'http://auth.example.com' });
    const local = await another({ ISSUER: 'http://127.0.0.1:8080' });
    const refused = await logsIn(ann.at(plain)).expect(400);
    assert.deepEqual([refused.body.code, refused.headers['set-cookie']], ['invalid_request', undefined]);
    const line = cookieOf(await logsIn(ann.at(local)).expect(200));
    assert.match(line, /^gatehouse-pages=2\.pages\.[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
    await pingWith(shown(line), local).expect(200, { PingStatus: 1 });
    await pingWith(shown(line), plain).expect(401);
  });

  it('is cleared by a logout, which ends the session', async () => {
    const ann = await member();
    const line = cookieOf(await logsIn(ann));
    const out = await core().post('/account/logout', {}, shown(line)).expect(200, {});
    assert.equal(cookieOf(out), '__Host-gatehouse=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure');
    assert.equal(out.headers['clear-site-data'], '"cache"');
    await pingWith(shown(line)).expect(401);
    const { headers } = await (await ann.session()).logsOut().expect(200);
    assert.deepEqual([headers['clear-site-data'], headers['set-cookie']], [undefined, undefined]);
  });
});
