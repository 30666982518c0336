import assert from 'node:assert/strict';
import {
  readAudit,
  readTables,
  someAddress,
  whileAuditFails,
  whileCommitsFail,
  type AccountRef,
} from '@gatehouse/accounts/testing';
import { deleteExpired, query } from '@gatehouse/db';
import { RETURN_URL } from '../testing/index.ts';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const PAGE = /^https:\/\/gatehouse\.test(\/profile[a-z/]*)#HandoverCode=([\w-]{43})$/;
const COOKIE =
  /^__Host-gatehouse=2\.pages\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10})\.handed-over-[\w-]{22}\.[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a hand-over of a session', () => {
  let core: CoreWithSessions;
  let ann: AccountRef & { Token: string; sessionId: string };
  before(async () => {
    core = await startCoreWithSessions();
  });
  after(() => core.stop());
  beforeEach(async () => {
    const person = await core.newAccount();
    ann = { ...person, ...(await core.login(person)) };
  });

  const handOver = async (body: object = {}) =>
    (await core.post('/account/handover', ann, body).expect(200)).body as {
      Url: string;
      ExpiresAt: string;
    };
  const newCode = async (): Promise<string> => new URL((await handOver()).Url).hash.slice(14);
  const exchange = (HandoverCode: unknown, headers: Record<string, string> = SAME_ORIGIN) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...headers })
      .send({ HandoverCode });
  const refused = async (code: unknown, what: string): Promise<void> => {
    const { status, body, headers } = await exchange(code);
    assert.deepEqual([status, body.code, headers['set-cookie']], [400, 'invalid_code', undefined], what);
  };
  const activeSessions = async (): Promise<number> => {
    const sql = 'select id from user_session where account_id = ? and ended_at is null';
    return (await query(core.app.db, sql, [ann.id])).length;
  };

  it('opens the requested page in the app’s session', async () => {
    for (const [body, path] of [
      [{}, '/profile'],
      [{ Page: 'profile' }, '/profile'],
      [{ Page: 'security' }, '/profile/security'],
      [{ Page: 'sessions' }, '/profile/sessions'],
      [{ Page: 'data' }, '/profile/data'],
    ] as const) {
      const { Url, ExpiresAt } = await handOver(body);
      const [, page, code] = PAGE.exec(Url) ?? [];
      assert.equal(page, path, Url);
      const seconds = (Date.parse(ExpiresAt) - Date.now()) / 1000;
      assert.ok(seconds > 50 && seconds < 62, ExpiresAt);
      const answer = await exchange(code).expect(204, '');
      const [line = ''] = answer.headers['set-cookie'] as unknown as string[];
      const [, accountId, sessionId] = COOKIE.exec(line) ?? [];
      assert.deepEqual([accountId, sessionId], [ann.id, ann.sessionId], line);
      const cookie = line.split(';')[0] ?? '';
      const known = await core.http.get('/ping/auth').set({ cookie, ...SAME_ORIGIN });
      assert.deepEqual([known.status, known.headers['x-auth-account']], [200, ann.id]);
    }
    assert.equal(await activeSessions(), 1);
    await core.get('/ping/auth', ann).expect(200);
  });

  it('works once with concurrent requests, which do not count as guesses', async () => {
    const [code, other] = [await newCode(), await newCode()];
    const from = { 'x-forwarded-for': someAddress() };
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(code, from)));
    const outcomes = answers.map(({ status, body }) => `${status} ${String(body.code)}`);
    assert.equal(outcomes.filter((one) => one === '204 undefined').length, 1);
    assert.equal(outcomes.filter((one) => one === '400 invalid_code').length, 99);
    await exchange(other, from).expect(204);
    await refused(code, 'later');
  });

  it('refuses a code that is wrong, expired, or of a session that has ended', async () => {
    const codes = [await newCode(), await newCode()] as const;
    await refused(
      codes[0].replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
      'wrong',
    );
    for (const odd of [
      '',
      'x',
      `${codes[0]} `,
      `${codes[0]}=`,
      'A'.repeat(43),
      'A'.repeat(50_000),
      '\u0000',
    ]) {
      await refused(odd, odd.slice(0, 50));
    }
    await query(core.app.db, `update handover_code set expires_at = now() where account_id = ?`, [ann.id]);
    await refused(codes[0], 'expired');
    const late = await newCode();
    await core.post('/account/logout', ann).expect(200);
    await refused(late, 'logged out');
  });

  it('refuses a code of a session that a login has replaced', async () => {
    const code = await newCode();
    await core.login(ann);
    await refused(code, 'replaced');
  });

  it('counts guesses by address, like those of other codes', async () => {
    const from = { 'x-forwarded-for': someAddress() };
    const guess = () => exchange('A'.repeat(43), from);
    for (let at = 0; at < 100; at += 20) await Promise.all(Array.from({ length: 20 }, guess));
    const answer = await guess();
    assert.deepEqual([answer.status, Number(answer.headers['retry-after']) > 0], [429, true]);
    const code = await newCode();
    await exchange(code, from).expect(429);
    await exchange(code).expect(204);
  });

  it('does not replace a session of another account in the browser, unless requested', async () => {
    const cookieFor = async () => {
      const answer = await exchange(await newCode()).expect(204);
      return String((answer.headers['set-cookie'] as unknown as string[])[0]).split(';')[0] ?? '';
    };
    const victim = await core.newAccount();
    const [mallory, own] = [ann, { ...victim, ...(await core.login(victim)) }];
    ann = own;
    const cookie = await cookieFor();
    await exchange(await newCode(), { ...SAME_ORIGIN, cookie }).expect(204);
    ann = mallory;
    const code = await newCode();
    const refusal = await exchange(code, { ...SAME_ORIGIN, cookie }).expect(409);
    assert.deepEqual([refusal.body.code, refusal.headers['set-cookie']], ['conflict', undefined]);
    const wanted = { HandoverCode: code, InPlaceOfOthers: true };
    const from = { 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, cookie };
    await core.http.post('/account/handover/exchange').set(from).send(wanted).expect(204);
    // An ended session belongs to no one.
    await core.post('/account/logout', own).expect(200);
    await exchange(await newCode(), { ...SAME_ORIGIN, cookie }).expect(204);
  });

  it('refuses pages of other sites, without using up the code', async () => {
    const code = await newCode();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
    ]) {
      const { status, body } = await exchange(code, headers);
      assert.deepEqual([status, body.code], [403, 'cross_site']);
    }
    await exchange(code, { origin: 'https://gatehouse.test' }).expect(204);
  });

  it('redirects to RETURN_URLS only', async () => {
    const { Url } = await handOver({ ReturnUrl: RETURN_URL });
    const [target, fragment = ''] = Url.split('#');
    assert.equal(target, RETURN_URL);
    await exchange(fragment.replace('HandoverCode=', ''), {}).expect(204);
    for (const body of [
      { ReturnUrl: `${RETURN_URL}/` },
      { ReturnUrl: 'https://evil.test/' },
      { ReturnUrl: '' },
      { ReturnUrl: RETURN_URL, Page: 'profile' },
      { Page: 'data ' },
      { Page: '/../admin' },
    ]) {
      const answer = await core.post('/account/handover', ann, body);
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(body));
    }
  });

  it('is refused to a service account, also with an earlier code', async () => {
    const code = await newCode();
    const set = (isService: boolean) =>
      query(core.app.db, 'update account set is_service = ? where id = ?', [isService, ann.id]);
    await set(true);
    const { body } = await core.post('/account/handover', ann, {}).expect(403);
    assert.equal(body.code, 'forbidden');
    await refused(code, 'made before');
    await set(false);
    await exchange(await newCode()).expect(204);
  });

  it('can be created by a browser session, but not by a static token', async () => {
    const first = await exchange(await newCode()).expect(204);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    const again = await core.http
      .post('/account/handover')
      .set({ cookie, ...SAME_ORIGIN })
      .send({});
    const [, , code] = PAGE.exec(again.body.Url as string) ?? [];
    await exchange(code).expect(204);
    await core.http.post('/account/handover').set({ cookie }).send({}).expect(403);
    await core.post('/account/handover', await core.newToken(), {}).expect(403);
  });

  it('is recorded in the audit atomically with the exchange', async () => {
    const code = await newCode();
    const before = await readTables(core.app);
    for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
      await whileFaulty(core.app, () => exchange(code).expect(500));
      assert.deepEqual(await readTables(core.app), before, whileFaulty.name);
    }
    const address = someAddress();
    await exchange(code, { 'x-forwarded-for': address, ...SAME_ORIGIN }).expect(204);
    const { entries, text } = await readAudit(core.app, { targetId: ann.sessionId });
    assert.deepEqual(
      entries.map(({ action, actorId, targetKind, details, ipAddress }) => [
        action,
        actorId,
        targetKind,
        details,
        ipAddress,
      ]),
      [['session.handed-over', ann.id, 'UserSession', { UserId: ann.id }, address]],
    );
    assert.ok(!text.includes(code));
  });

  it('stores only hashes of codes, and deletes expired ones', async () => {
    const code = await newCode();
    const used = await newCode();
    await exchange(used).expect(204);
    const text = JSON.stringify(await readTables(core.app));
    const hexOf = (one: string) => Buffer.from(one, 'base64url').toString('hex');
    for (const secret of [code, hexOf(code), used, hexOf(used)]) assert.ok(!text.includes(secret));
    assert.ok(!JSON.stringify(core.app.lines).includes(code));
    const left = async () =>
      (await query(core.app.db, 'select 1 from handover_code where account_id = ?', [ann.id])).length;
    assert.equal(await left(), 2);
    await deleteExpired(core.app.service.db, ['handover_code']);
    assert.equal(await left(), 1);
    await exchange(code).expect(204);
  });

  it('is refused if no cookie can be set', async () => {
    const plain = await startCoreWithSessions({ ISSUER: 'http://auth.example.com' }, core);
    try {
      const { Token } = await plain.login(ann);
      const answer = await plain.post('/account/handover', Token, {});
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request']);
    } finally {
      await plain.stop();
    }
  });
});
