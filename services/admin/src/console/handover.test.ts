import assert from 'node:assert/strict';
import { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
import { cast, cookieLine, cookieOf, problem, SAME_ORIGIN } from '../testing/cast.ts';

const URL_FORM = /^https:\/\/admin\.gatehouse\.test\/console#HandoverCode=([\w-]{43})$/;
const COOKIE =
  /^__Host-gatehouse-console=2\.console\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10})\.handed-over-[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('a hand-over to the console', () => {
  const { administrator, app, get, history, http, login, post, sql } = cast({});
  let ann: Awaited<ReturnType<typeof administrator>>;
  beforeEach(async () => (ann = await administrator()));

  const newCode = async (who: { Token: string } = ann): Promise<string> => {
    const { body } = await post('/console/handover', who).expect(200);
    const seconds = (Date.parse(body.ExpiresAt as string) - Date.now()) / 1000;
    assert.ok(seconds > 50 && seconds < 62, body.ExpiresAt);
    return URL_FORM.exec(body.Url as string)?.[1] ?? '';
  };
  const exchange = (HandoverCode: unknown, headers: Record<string, string> = {}) =>
    http()
      .post('/console/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, ...headers })
      .send({ HandoverCode });
  const refused = async (code: unknown, what: string): Promise<void> => {
    const { status, body, headers } = await exchange(code);
    assert.deepEqual([status, body.code, headers['set-cookie']], [400, 'invalid_code', undefined], what);
  };

  it('continues in the app’s session, with an HttpOnly cookie, once', async () => {
    const code = await newCode();
    const answer = await exchange(code).expect(200);
    await refused(code, 'used');
    const [, accountId, sessionId] = COOKIE.exec(cookieLine(answer)) ?? [];
    assert.deepEqual([accountId, sessionId], [ann.id, ann.sessionId]);
    assert.deepEqual([answer.body.Account.Email, answer.body.SessionId], [ann.email, ann.sessionId]);
    const headers = { cookie: cookieOf(answer), ...SAME_ORIGIN };
    await http().get('/admin/account').set(headers).expect(200);
    await http().post('/console/handover').set(headers).expect(problem('forbidden'));
    await get('/admin/account', ann).expect(200);
    assert.equal((await ann.sessions()).length, 1);
    const handing = { action: 'session.handed-over', targetId: ann.sessionId } as const;
    assert.deepEqual(await history(handing, 'actorId', 'details'), [[ann.id, { UserId: ann.id }]]);
  });

  it('ends with the access token that requested it, as the console shows', async () => {
    const answer = await exchange(await newCode()).expect(200);
    const [, , , end = 0] = COOKIE.exec(cookieLine(answer)) ?? [];
    const endsAt = new Date(Number(end) * 1000).toISOString();
    const headers = { cookie: cookieOf(answer), ...SAME_ORIGIN };
    const session = () => http().get('/console/session').set(headers);
    assert.deepEqual([answer.body.ExpiresAt, (await session()).body.ExpiresAt], [endsAt, endsAt]);
    const caller = await app().auth.authenticate(`Bearer ${ann.Token}`);
    assert.ok(caller.kind === 'session' && caller.via === 'bearer');
    assert.equal(caller.tokenExpiresAt, Number(end));
    app().clock.now = () => Number(end) * 1000;
    try {
      await session().expect(401);
    } finally {
      app().clock.now = Date.now;
    }
  });

  it('does not confirm: dangerous actions still require the password', async () => {
    const headers = { cookie: cookieOf(await exchange(await newCode())), ...SAME_ORIGIN };
    const given = { Name: 'Everything', Role: 'Admin' };
    const create = () => http().post('/admin/api-token').set(headers).send(given);
    await create().expect(problem('confirmation_required'));
    const confirm = (proof: object) => http().post('/console/session/confirm').set(headers).send(proof);
    await confirm({ SignOnCode: await newCode() }).expect(problem('invalid_code'));
    await confirm({ Password: PASSWORD }).expect(204);
    await create().expect(201);
  });

  it('is refused after the rights or the minute have ended', async () => {
    const [demoted, disabled, expired] = [await newCode(), await newCode(), await newCode()];
    await ann.set(`role = 'User'`);
    await refused(demoted, 'demoted');
    await ann.set(`role = 'Admin', is_disabled = true`);
    await refused(disabled, 'disabled');
    await ann.set('is_disabled = false');
    await sql(`update console_code set expires_at = now() where account_id = ?`, [ann.id]);
    await refused(expired, 'expired');
  });

  it('refuses other kinds and formats of codes', async () => {
    const code = await newCode();
    const wrong = code.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'));
    await refused(wrong, 'wrong');
    for (const odd of ['x', `${code}=`, 'A'.repeat(43)]) await refused(odd, odd.slice(0, 50));
    const statement = `update console_code set purpose = 'confirmation', session_id = null where account_id = ?`;
    await sql(statement, [ann.id]);
    await refused(code, 'confirmation');
    // The codes of the account pages are in another table, which Admin does not read.
    const codes = await newCode();
    const insertHandoverCode = `with gone as (delete from console_code where account_id = ?
      returning code_hash, account_id, session_id, expires_at)
       insert into handover_code (code_hash, account_id, session_id, expires_at)
       select code_hash, account_id, session_id, expires_at from gone where session_id is not null`;
    await sql(insertHandoverCode, [ann.id]);
    await refused(codes, 'a code of the account pages');
  });

  it('does not sign in for a page of another site, or over a session of another account', async () => {
    const code = await newCode();
    for (const site of ['cross-site', 'same-site', 'none'])
      await exchange(code, { 'sec-fetch-site': site }).expect(problem('cross_site'));
    const ben = await administrator();
    const bens = { cookie: cookieOf(await exchange(await newCode(ben))) };
    const { body, headers } = await exchange(code, bens).expect(409);
    assert.deepEqual([body.code, headers['set-cookie']], ['conflict', undefined]);
    const own = { cookie: cookieOf(await exchange(await newCode())) };
    await exchange(await newCode(), own).expect(200);
    // An ended session belongs to no one.
    await login(ben);
    await exchange(code, bens).expect(200);
  });
});
