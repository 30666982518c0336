import assert from 'node:assert/strict';
import { PASSWORD, someAddress, type AccountRef } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const URL_FORM = /^https:\/\/admin\.gatehouse\.test\/console#HandoverCode=([\w-]{43})$/;
const COOKIE =
  /^__Host-gatehouse-console=2\.console\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10})\.handed-over-[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a hand-over to the console', () => {
  let admin: TestAdmin;
  let ann: AccountRef & { Token: string; sessionId: string };
  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin.stop());
  const newAdministrator = async () => {
    const account = await admin.newAccount({ role: 'Admin' });
    return { ...account, ...(await admin.login(account)) };
  };
  beforeEach(async () => {
    ann = await newAdministrator();
  });

  const newCode = async (who: { Token: string } = ann): Promise<string> => {
    const { body } = await admin.post('/console/handover', who).expect(200);
    const seconds = (Date.parse(body.ExpiresAt as string) - Date.now()) / 1000;
    assert.ok(seconds > 50 && seconds < 62, body.ExpiresAt);
    return URL_FORM.exec(body.Url as string)?.[1] ?? '';
  };
  const exchange = (HandoverCode: unknown, headers: Record<string, string> = {}) =>
    admin.http
      .post('/console/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, ...headers })
      .send({ HandoverCode });
  const lineOf = (answer: { headers: Record<string, unknown> }): string =>
    String((answer.headers['set-cookie'] as string[] | undefined)?.[0]);
  const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
    lineOf(answer).split(';')[0] ?? '';
  const refused = async (code: unknown, what: string): Promise<void> => {
    const { status, body, headers } = await exchange(code);
    assert.deepEqual([status, body.code, headers['set-cookie']], [400, 'invalid_code', undefined], what);
  };
  const change = (assignments: string, { id }: AccountRef = ann) =>
    query(admin.app.db, `update account set ${assignments} where id = ?`, [id]);

  it('continues in the app’s session, with an HttpOnly cookie', async () => {
    const answer = await exchange(await newCode()).expect(200);
    const [, accountId, sessionId] = COOKIE.exec(lineOf(answer)) ?? [];
    assert.deepEqual([accountId, sessionId], [ann.id, ann.sessionId]);
    assert.deepEqual([answer.body.Account.Email, answer.body.SessionId], [ann.email, ann.sessionId]);
    const headers = { cookie: cookieOf(answer), ...SAME_ORIGIN };
    await admin.http.get('/admin/account').set(headers).expect(200);
    await admin.get('/admin/account', ann).expect(200);
    const sql = 'select id from user_session where account_id = ? and ended_at is null';
    assert.equal((await query(admin.app.db, sql, [ann.id])).length, 1);
    const [audited] = await query<{ actor_id: string; details: object }>(
      admin.app.db,
      `select actor_id, details from audit where action = 'session.handed-over' and target_id = ?`,
      [ann.sessionId],
    );
    assert.deepEqual(audited, { actor_id: ann.id, details: { UserId: ann.id } });
  });

  it('ends with the access token that requested it, as the console shows', async () => {
    const answer = await exchange(await newCode()).expect(200);
    const [, , , end = 0] = COOKIE.exec(lineOf(answer)) ?? [];
    const endsAt = new Date(Number(end) * 1000).toISOString();
    const headers = { cookie: cookieOf(answer), ...SAME_ORIGIN };
    const session = () => admin.http.get('/console/session').set(headers);
    assert.deepEqual([answer.body.ExpiresAt, (await session()).body.ExpiresAt], [endsAt, endsAt]);
    const caller = await admin.app.auth.authenticate(`Bearer ${ann.Token}`);
    assert.ok(caller.kind === 'session' && caller.via === 'bearer');
    assert.equal(caller.tokenExpiresAt, Number(end));
    admin.app.clock.now = () => Number(end) * 1000;
    try {
      await session().expect(401);
    } finally {
      admin.app.clock.now = Date.now;
    }
  });

  it('does not confirm: dangerous actions still require the password', async () => {
    const headers = { cookie: cookieOf(await exchange(await newCode())), ...SAME_ORIGIN };
    const create = () =>
      admin.http.post('/admin/api-token').set(headers).send({ Name: 'Everything', Role: 'Admin' });
    assert.equal((await create().expect(403)).body.code, 'confirmation_required');
    const confirm = admin.http.post('/console/session/confirm').set(headers);
    await confirm.send({ Password: PASSWORD }).expect(204);
    await create().expect(201);
  });

  it('works once with concurrent requests', async () => {
    const code = await newCode();
    const from = { 'x-forwarded-for': someAddress() };
    const answers = await Promise.all(Array.from({ length: 60 }, () => exchange(code, from)));
    const outcomes = answers.map(({ status, body }) => `${status} ${String(body.code)}`);
    assert.equal(outcomes.filter((one) => one === '200 undefined').length, 1);
    assert.equal(outcomes.filter((one) => one === '400 invalid_code').length, 59);
    await exchange(await newCode(), from).expect(200);
  });

  it('is refused after the session, the rights or the minute have ended', async () => {
    const [demoted, expired, disabled] = [await newCode(), await newCode(), await newCode()];
    await change(`role = 'User'`);
    await refused(demoted, 'demoted');
    await change(`role = 'Admin'`);
    await query(admin.app.db, `update console_code set expires_at = now() where account_id = ?`, [ann.id]);
    await refused(expired, 'expired');
    await refused(disabled, 'expired too');
    const late = await newCode();
    await admin.login(ann);
    await refused(late, 'replaced');
    ann = { ...ann, ...(await admin.login(ann)) };
    const shut = await newCode();
    await change('is_disabled = true');
    await refused(shut, 'disabled');
  });

  it('refuses other kinds and formats of codes', async () => {
    const code = await newCode();
    await refused(
      code.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
      'wrong',
    );
    for (const odd of ['', 'x', `${code}=`, 'A'.repeat(43), 'A'.repeat(50_000), '\u0000'])
      await refused(odd, odd.slice(0, 50));
    await query(
      admin.app.db,
      `update console_code set purpose = 'confirmation', session_id = null where account_id = ?`,
      [ann.id],
    );
    await refused(code, 'confirmation');
    // The codes of the account pages are in another table, which Admin does not read.
    const codes = await newCode();
    await query(
      admin.app.db,
      `with gone as (delete from console_code where account_id = ? returning code_hash, account_id, session_id, expires_at)
       insert into handover_code (code_hash, account_id, session_id, expires_at)
       select code_hash, account_id, session_id, expires_at from gone where session_id is not null`,
      [ann.id],
    );
    await refused(codes, 'a code of the account pages');
  });

  it('does not sign in for a page of another site, or over a session of another account', async () => {
    const code = await newCode();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ])
      assert.equal((await exchange(code, headers).expect(403)).body.code, 'cross_site');
    const ben = await newAdministrator();
    const bens = { cookie: cookieOf(await exchange(await newCode(ben))) };
    const { body, headers } = await exchange(code, bens).expect(409);
    assert.deepEqual([body.code, headers['set-cookie']], ['conflict', undefined]);
    const own = { cookie: cookieOf(await exchange(await newCode())) };
    await exchange(await newCode(), own).expect(200);
    // An ended session belongs to no one.
    await admin.login(ben);
    await exchange(code, bens).expect(200);
  });

  it('counts guesses by address', async () => {
    const from = { 'x-forwarded-for': someAddress() };
    const guess = () => exchange('A'.repeat(43), from);
    for (let at = 0; at < 100; at += 20) await Promise.all(Array.from({ length: 20 }, guess));
    const answer = await guess();
    assert.deepEqual([answer.status, Number(answer.headers['retry-after']) > 0], [429, true]);
  });
});
