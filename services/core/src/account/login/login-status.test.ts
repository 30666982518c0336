import assert from 'node:assert/strict';
import { changeAccount, importAccounts } from '@gatehouse/accounts';
import { moveClock } from '@gatehouse/accounts/testing';
import type { AccountChange } from '@gatehouse/db';
import { inviteGuest } from '../../email-login/testing.ts';
import { cast, type Person, pingsOf, problem } from '../../testing/cast.ts';
import { BY_SYSTEM, PASSWORD, SAME_ORIGIN, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const WRONG = 'another password';

describe('POST /account/login, in each of the nine statuses', () => {
  const { core, another, created, someone } = cast();
  let quiet: TestCore;
  before(async () => (quiet = await another({ DISCLOSE_PENDING_ACCOUNTS: false })));

  const changed = async (change: AccountChange) => {
    const ann = await created({ password: PASSWORD });
    const session = await ann.session();
    assert.equal((await changeAccount(core().app, await ann.id(), change, BY_SYSTEM)).kind, 'changed');
    return { ann, session };
  };
  const statusOf = async (ann: Person, password?: string) =>
    (await ann.logsIn(password).expect(403)).body.LoginStatus as number;

  it('is in 1 when two-factor is required and not set up, as soon as an administrator requires it', async () => {
    const { ann, session } = await changed({ isTwoFactorRequired: true });
    await session.refreshes().expect(401);
    assert.equal((await ann.logsIn().expect(200)).body.LoginStatus, 1);
  });

  for (const [status, change, ping] of [
    [3, { isDisabled: true }, 4],
    [7, { isNewPasswordRequired: true }, 4],
    [8, { expiresAt: new Date(0) }, 3],
  ] as const)
    it(`is in ${status} after an administrator’s change, as are its session and refresh`, async () => {
      const { ann, session } = await changed(change);
      assert.equal(await statusOf(ann), status);
      assert.equal((await ann.logsIn(WRONG).expect(404)).body.LoginStatus, undefined);
      assert.equal(await session.pings(), ping);
      assert.equal((await session.refreshes().expect(403)).body.LoginStatus, status);
    });

  it('tells the owner in 3 until when and why only if an administrator chose to, and nobody without the password', async () => {
    const disabledUntil = new Date(Date.now() + 3_600_000);
    const ban = { isDisabled: true, disabledUntil, disabledReason: 'spam' };
    for (const tellsReason of [true, false]) {
      const { ann } = await changed({ ...ban, tellsReason });
      const { body } = await ann.logsIn().expect(403);
      const told = [body.LoginStatus, body.DisabledUntil, body.DisabledReason];
      const expected = tellsReason ? [3, disabledUntil.toISOString(), 'spam'] : [3, undefined, undefined];
      assert.deepEqual(told, expected);
      const wrong = JSON.stringify((await ann.logsIn(WRONG).expect(404)).body);
      assert.doesNotMatch(wrong, /Disabled|spam/);
    }
  });

  it('is in 4 until a registration is verified, for the right password alone', async () => {
    const ann = someone();
    assert.equal((await ann.registers().expect(200)).body.LoginStatus, 4);
    assert.equal(await statusOf(ann), 4);
    await ann.logsIn(WRONG).expect(404);
  });

  const invited = async () => {
    const gus = someone((await inviteGuest(core())).email);
    assert.deepEqual(await gus.row('role'), { role: 'Guest' });
    return gus;
  };
  const imported = async () => {
    const ann = someone();
    async function* lines() {
      yield { number: 1, kind: 'value', value: { Email: ann.email } } as const;
    }
    await importAccounts(core().app, lines(), BY_SYSTEM);
    return ann;
  };
  for (const [status, what, arrange] of [
    [5, 'without a password', () => created()],
    [6, 'if it comes from elsewhere without a password', () => created({ isMigrated: true })],
    [6, 'if it was imported without a hash', imported],
    [9, 'until a guest has accepted the invitation', invited],
  ] as const)
    it(`is in ${status} ${what}, for any password and after registering, unless pending accounts are hidden`, async () => {
      const ann = await arrange();
      assert.equal(await statusOf(ann, 'whatever it is'), status);
      await ann.registers().expect(200);
      assert.equal(await statusOf(ann), status);
      assert.equal((await ann.at(quiet).logsIn()).body.code, 'authentication_failed');
    });
});

const COOKIE =
  /^__Host-gatehouse=(2\.pages\.[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}\.[\w-]{43}); Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('POST /account/login with Delivery "Cookie"', () => {
  const { core, another, someone, member, memberWithSession } = cast({});
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
    await ann.logsIn(PASSWORD, { KeepSignedIn: true }).expect(problem('invalid_request', '/KeepSignedIn'));
  });

  it('returns the idle timeout, at most the remaining lifetime', async () => {
    const ann = (await member()).at(await another({ SESSION_MAX_SECONDS: 60 }));
    const answer = await logsIn(ann, { KeepSignedIn: true }).expect(200, { ExpirationSeconds: 60 });
    assert.match(cookieOf(answer), /; Max-Age=60;/);
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

  it('refuses a page of another site, and logs nobody in', async () => {
    const [ann, session] = await memberWithSession();
    const sameSite = { 'sec-fetch-site': 'same-site', origin: 'https://gatehouse.test' };
    for (const headers of [sameSite, { 'sec-fetch-site': 'none' }, { origin: 'null' }]) {
      const { body, headers: answered } = await logsIn(ann, {}, headers).expect(403);
      assert.deepEqual([body.code, answered['set-cookie']], ['cross_site', undefined]);
    }
    assert.deepEqual(await pingsOf([session]), [1]);
    // Some browsers send only this.
    await logsIn(ann, {}, { origin: 'https://gatehouse.test' }).expect(200);
  });

  it('sets no cookie over http, except on localhost', async () => {
    const ann = await member();
    const plain = ann.at(await another({ ISSUER: 'http://auth.example.com' }));
    const refused = await logsIn(plain).expect(400);
    assert.deepEqual([refused.body.code, refused.headers['set-cookie']], ['invalid_request', undefined]);
    const local = ann.at(await another({ ISSUER: 'http://127.0.0.1:8080' }));
    assert.match(cookieOf(await logsIn(local).expect(200)), /^gatehouse-pages=2\.pages\./);
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
