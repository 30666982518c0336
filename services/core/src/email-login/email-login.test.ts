import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { accounts, activity, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, type Person } from '../testing/cast.ts';
import {
  type CoreWithSessions,
  during,
  PASSWORD,
  someAddress,
  startCore,
  startCoreWithSessions,
} from '../testing/index.ts';
import { type MailedLogin, requestMailed, requestOnly } from './testing.ts';
import { codeIn, moveClock, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { newOwner } from '../testing/two-factor.ts';
import { newPasskeyOwner } from '../testing/passkeys.ts';

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

describe('the conditions of a login with a mailed code', () => {
  const core = during(() => startCore({ EMAIL_LOGIN: 'users' }));
  before(() => moveClock(core.app, 0));

  const login = (body: object) =>
    core.http.post('/account/login').set('x-forwarded-for', someAddress()).send(body);
  const set = (email: string, sets: string) =>
    query(core.app.db, `update account set ${sets} where email = ?`, [email]);
  const find = async (email: string) => {
    const account = await accounts.findByEmailKey(core.app.db, email);
    return account ?? assert.fail('there is no such account');
  };

  for (const [status, sets] of [
    [3, 'is_disabled = true'],
    [7, 'new_password_required = true'],
  ] as const) {
    it(`answers with status ${status} as for a password, before and after the code is mailed`, async () => {
      const email = await core.newAccount();
      await set(email, sets);
      const mailed = await requestMailed(core, email);
      const expected = await login({ Username: email, Password: PASSWORD }).expect(403);
      const { body } = await login(mailed).expect(403);
      assert.deepEqual({ ...body, traceId: '' }, { ...expected.body, traceId: '' });
      assert.equal(body.LoginStatus, status);
    });
  }

  it('does not say that a guest waits for an invitation, even with the right code', async () => {
    const email = await core.newAccount();
    const mailed = await requestMailed(core, email);
    await set(email, `role = 'Guest', signup = 'invitation', password_hash = null, password_scheme = null`);
    await login(mailed).expect(404);
  });

  it('still asks for the second factor, and uses the code up', async () => {
    const { email, phone } = await newOwner(core);
    const mailed = await requestMailed(core, email);
    const { body } = await login(mailed).expect(200);
    assert.equal(body.LoginStatus, 2);
    assert.equal(body.Token, undefined);
    await login(mailed).expect(404);
    const second = { TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() };
    assert.equal(await core.pingWith((await login(second).expect(200)).body.Token), 1);
    const [session] = await query<{ by: string[] }>(
      core.app.db,
      'select authenticated_by as by from user_session where account_id = ? order by id desc limit 1',
      [(await find(email)).id],
    );
    assert.deepEqual(session?.by, ['mail-code', 'second-factor']);
  });

  it('makes an account that must have a second factor set one up', async () => {
    const email = await core.newAccount();
    await set(email, 'two_factor_required = true');
    const { body } = await login(await requestMailed(core, email)).expect(200);
    assert.equal(body.LoginStatus, 1);
    assert.ok(body.TwoFactorSetup.Secret);
  });

  it('verifies the email of a new registration, and discards the password that was registered', async () => {
    const email = `new.${Date.now()}@example.com`;
    await core
      .post('/account/register', { Email: email, Password: PASSWORD, DisplayName: 'Eve' })
      .expect(200);
    const [registered] = await core.app.mailsTo(email);
    assert.ok(registered);
    await login(await requestMailed(core, email)).expect(200);
    const account = await find(email);
    assert.deepEqual(
      [account.isEmailVerified, account.passwordScheme, account.displayName, account.isNewPasswordRequired],
      [true, null, null, false],
    );
    await login({ Username: email, Password: PASSWORD }).expect(404);
    // The button in the mail of the registration no longer discards anything.
    const verification = { Email: email, Code: codeIn([registered]), RegistrationToken: '' };
    await core.post('/account/verify', verification).expect(400);
    const { entries } = await readAudit(core.app, { targetId: account.id, action: 'account.verified' });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ Contested: true }],
    );
  });

  it('leaves a contested registration to the code that verifies it', async () => {
    const email = `contested.${Date.now()}@example.com`;
    for (const Password of [PASSWORD, 'another good password'])
      await core.post('/account/register', { Email: email, Password }).expect(200);
    const Code = codeIn(await core.app.mailsTo(email));
    const { body } = await login(await requestMailed(core, email)).expect(403);
    assert.equal(body.LoginStatus, 4);
    await core.post('/account/verify', { Email: email, Code }).expect(200);
  });

  it('counts in the statistics as a login by email', async () => {
    await core.app.activity.flush((counts) => activity.add(core.app.db, counts));
    const kinds = await query<{ kind: string }>(
      core.app.db,
      `select kind from activity where kind in ('login.email', 'refused.mail-code') order by kind`,
    );
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['login.email', 'refused.mail-code'],
    );
  });
});

describe('login with a mailed code', () => {
  const off = cast();

  for (const [setting, { core, member }, expected] of [
    ['guests', cast({ EMAIL_LOGIN: 'guests' }), { Guest: true, User: false, Admin: false }],
    ['users', cast({ EMAIL_LOGIN: 'users' }), { Guest: true, User: true, Admin: false }],
  ] as const) {
    it(`is for those whom EMAIL_LOGIN=${setting} names, and never for administrators and programs`, async () => {
      const asked: [Person, boolean][] = [];
      for (const [role, isMailed] of Object.entries(expected))
        asked.push([await member({ role: role as keyof typeof expected }), isMailed]);
      const program = await member();
      await program.set('is_service = true');
      asked.push([program, false]);
      for (const [{ email }] of asked.toReversed())
        await core().post('/account/login/email', { Email: email }).expect(202);
      await eventually(async () => (await query(core().app.db, 'select id from reset_request')).length === 0);
      for (const [ann, isMailed] of asked)
        assert.equal((await ann.mailTypes()).includes('account.login-code-requested'), isMailed, ann.email);
    });
  }

  it('is off by default', async () => {
    const ann = await off.member();
    const { body } = await ann.post('/account/login/email', { Email: ann.email }).expect(409);
    assert.equal(body.code, 'conflict');
    await ann
      .logsIn(undefined, { Password: undefined, MailCode: '2222-2222', RequestToken: 'x' })
      .expect(404);
  });
});

describe('a change of what opens an account that mailed codes open', () => {
  const core = during(() => startCore({ EMAIL_LOGIN: 'users', SINGLE_SESSION: false }));

  const newPerson = async () => {
    const email = await core.newAccount();
    return { email, bearer: core.bearer((await core.login(email)).Token) };
  };
  const dropPassword = (email: string) =>
    query(core.app.db, 'update account set password_hash = null, password_scheme = null where email = ?', [
      email,
    ]);
  const refusal = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };
  const codeTo = async (email: string) => codeIn(await core.app.mailsTo(email));

  it('asks for a code at the old address before the email changes, besides the password', async () => {
    const { email, bearer } = await newPerson();
    const Email = someEmail();
    const change = (body: object) => core.post('/account/change-email', { Email, ...body }, bearer);
    assert.deepEqual(await refusal(change({ Password: 'not the password' })), [403, 'wrong_password']);
    assert.deepEqual(await refusal(change({})), [400, 'invalid_request']);
    const before = (await core.app.mailsTo(email)).length;
    assert.deepEqual(await refusal(change({ Password: PASSWORD })), [403, 'mail_code_required']);
    assert.equal((await core.app.mailsTo(email)).length, before + 1);
    const MailCode = await codeTo(email);
    const wrong = MailCode.startsWith('2') ? '3333-3333' : '2222-2222';
    assert.deepEqual(await refusal(change({ Password: PASSWORD, MailCode: wrong })), [400, 'invalid_code']);
    assert.deepEqual(await core.app.mailsTo(Email), []);
    await change({ Password: PASSWORD, MailCode }).expect(200);
    const Code = await codeTo(Email);
    await core.post('/account/confirm-email', { Code }, bearer).expect(200);
    assert.ok(await accounts.findByEmailKey(core.app.db, Email));
    assert.deepEqual(await refusal(change({ Password: PASSWORD, MailCode })), [400, 'invalid_code']);
  });

  it('asks an owner without a password for the code alone', async () => {
    const { email, bearer } = await newPerson();
    await dropPassword(email);
    const Email = someEmail();
    const change = (body: object) => core.post('/account/change-email', { Email, ...body }, bearer);
    assert.deepEqual(await refusal(change({})), [403, 'mail_code_required']);
    await change({ MailCode: await codeTo(email) }).expect(200);
  });

  it('asks for a code before the last passkey is removed, and for no other', async () => {
    const owner = await newPasskeyOwner(core);
    const [first, last] = [await owner.add(), await owner.add()];
    await dropPassword(owner.email);
    const { remove } = owner;
    await remove(first.Id).expect(204);
    assert.deepEqual(await refusal(remove(last.Id)), [403, 'mail_code_required']);
    assert.deepEqual(await refusal(remove(last.Id, { MailCode: 'x' })), [400, 'invalid_code']);
    // Mailed codes count as a way to log in: the passkey is not the last one.
    await remove(last.Id, { MailCode: await codeTo(owner.email) }).expect(204);
  });
});
