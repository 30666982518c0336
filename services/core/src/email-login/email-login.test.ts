import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, countOf } from '../testing/cast.ts';
import {
  during,
  PASSWORD,
  someAddress,
  startCoreWithSessions,
  type CoreWithSessions,
} from '../testing/index.ts';
import { requestMailed, requestOnly, type MailedLogin } from './testing.ts';

describe('login with a mailed code', () => {
  const core = during(() => startCoreWithSessions({ EMAIL_LOGIN: 'users' }));

  const login = (body: object, headers = { 'x-forwarded-for': someAddress() }) =>
    core.http.post('/account/login').set(headers).send(body);
  const refused = async (body: object): Promise<unknown> => {
    const answer = await login(body).expect(404);
    return { ...answer.body, traceId: undefined };
  };
  const person = async (overrides?: Parameters<CoreWithSessions['newAccount']>[0]): Promise<MailedLogin> =>
    requestMailed(core, (await core.newAccount(overrides)).email);

  it('opens one session, and uses the code up', async () => {
    const mailed = await person();
    const { body } = await login({ ...mailed, DeviceName: 'Kiosk' }).expect(200);
    await core.post('/account/ping', body.Token).expect(200, { PingStatus: 1 });
    const [session] = await query<{ by: string[]; device: string }>(
      core.app.db,
      `select authenticated_by as by, device_name as device from user_session
       where account_id = (select id from account where email = ?)`,
      [mailed.Username],
    );
    assert.deepEqual(session, { by: ['mail-code'], device: 'Kiosk' });
    await refused(mailed);
  });

  it('has one response for each code that does not work', async () => {
    const mailed = await person();
    const other = await person();
    const expected = await refused({ Username: mailed.Username, Password: 'not the password' });
    const wrong = { ...mailed, MailCode: mailed.MailCode.startsWith('2') ? '3333-3333' : '2222-2222' };
    const token = await requestOnly(core, mailed.Username);
    for (const body of [
      wrong,
      { ...mailed, MailCode: '' },
      { ...mailed, RequestToken: 'x' },
      { ...mailed, RequestToken: other.RequestToken },
      // Of the same person, from another browser.
      { ...mailed, RequestToken: token },
      { ...mailed, Username: other.Username },
      { ...mailed, Username: 'nobody@example.com' },
    ])
      assert.deepEqual(await refused(body), expected, JSON.stringify(body));
    await login(mailed).expect(200);
  });

  it('refuses a code after ten minutes', async () => {
    const mailed = await person();
    const [left] = await query<{ seconds: number }>(
      core.app.db,
      'select extract(epoch from max(expires_at) - now())::float as seconds from login_code',
    );
    assert.ok(left !== undefined && left.seconds > 590 && left.seconds <= 600);
    await query(core.app.db, `update login_code set expires_at = expires_at - interval '600 seconds'`);
    await refused(mailed);
  });

  it('refuses a code after the password was changed, and after the email was', async () => {
    const { email, id } = await core.newAccount();
    const mailed = await requestMailed(core, email);
    const { Token } = await core.login({ id });
    await core
      .post('/account/change-password', Token, { CurrentPassword: PASSWORD, Password: 'another password' })
      .expect(200);
    await refused(mailed);
    const moved = await requestMailed(core, email);
    const [local = ''] = email.split('@');
    await query(core.app.db, 'update account set email = ?, email_key = ? where id = ?', [
      `${local}@example.org`,
      `${local}@example.org`,
      id,
    ]);
    await refused(moved);
    await refused({ ...moved, Username: `${local}@example.org` });
  });

  it('refuses a code, and the token of its second step, after the role was changed', async () => {
    const mailed = await person();
    const waiting = await person();
    await query(core.app.db, 'update account set two_factor_required = true where email = ?', [
      waiting.Username,
    ]);
    const { TwoFactorToken } = (await login(waiting).expect(200)).body;
    for (const { Username } of [mailed, waiting]) {
      const [account] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [
        Username,
      ]);
      const by = { actor: { kind: 'System' }, origin: { traceId: 'x', dueAt: Infinity } } as const;
      for (const role of ['Admin', 'User'] as const)
        await changeAccount(core.app, account?.id ?? '', { role }, by);
    }
    await refused(mailed);
    await refused({ TwoFactorToken, TwoFactorCode: '123456' });
    const left = await query(core.app.db, 'select 1 from two_factor_challenge where expires_at > now()');
    assert.deepEqual(left, []);
  });

  it('names every missing field, and uses up no try', async () => {
    const mailed = await person();
    for (let time = 0; time < 2; time += 1)
      for (const name of ['Username', 'MailCode', 'RequestToken'] as const) {
        const answer = await login({ ...mailed, [name]: undefined }).expect(400);
        assert.equal(answer.body.errors[0].pointer, `/${name}`);
      }
    await login({ ...mailed, Password: PASSWORD }).expect(400);
    // Five tries would be too many.
    await login(mailed).expect(200);
  });

  it('counts five tries for each request', async () => {
    const mailed = await person();
    assert.equal(countOf(404, await atOnce(12, () => login({ ...mailed, MailCode: '2222-2222' }))), 12);
    await login(mailed).expect(404);
    await login(await requestMailed(core, mailed.Username)).expect(200);
  });

  it('opens one session of thirty uses at once', async () => {
    const mailed = await person();
    const answers = await atOnce(30, () => login(mailed));
    assert.deepEqual([countOf(200, answers), countOf(404, answers)], [1, 29]);
    const sessions = await query(
      core.app.db,
      'select id from user_session where account_id = (select id from account where email = ?)',
      [mailed.Username],
    );
    assert.equal(sessions.length, 1);
  });

  it('lets codes for several browsers live side by side, and one use void the others', async () => {
    const { email } = await core.newAccount();
    const mine = await requestMailed(core, email);
    const strangers = await requestMailed(core, email);
    await login({ ...mine, MailCode: strangers.MailCode }).expect(404);
    await login(mine).expect(200);
    await login(strangers).expect(404);
  });

  it('lets a browser that got no mail beyond the limit use the newest code', async () => {
    const { email } = await core.newAccount();
    let newest: MailedLogin | undefined;
    for (let time = 0; time < 5; time += 1) newest = await requestMailed(core, email);
    const RequestToken = await requestOnly(core, email);
    await eventually(async () => (await query(core.app.db, 'select id from reset_request')).length === 0);
    assert.equal((await core.app.mailsTo(email)).length, 5);
    await login({ ...newest, RequestToken }).expect(200);
  });

  it('does not end a wait that wrong passwords began, and is not kept waiting by it', async () => {
    const mailed = await person();
    const wrong = { Username: mailed.Username, Password: 'not the password' };
    for (let time = 0; time < 11; time += 1) await login(wrong);
    await login(wrong).expect(429);
    await login(mailed).expect(200);
    await login(wrong).expect(429);
  });

  it('refuses an address that has asked too often with 429, and mails nothing', async () => {
    const strict = await startCoreWithSessions({ EMAIL_LOGIN: 'users', MAILS_PER_ADDRESS: 3 }, core);
    await eventually(() => strict.app.sessionCache.isConnected());
    const from = { 'x-forwarded-for': someAddress() };
    const { email } = await core.newAccount();
    const ask = (Email: string) => strict.http.post('/account/login/email').set(from).send({ Email });
    for (let time = 0; time < 3; time += 1) await ask('unknown@example.com').expect(202);
    const { headers } = await ask(email).expect(429);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.deepEqual(await core.app.mailsTo(email), []);
    await strict.stop();
  });
});
