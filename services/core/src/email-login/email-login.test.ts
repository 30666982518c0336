import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { areDone, atOnce, cast, countOf, problem, type Person } from '../testing/cast.ts';
import { BY_SYSTEM, NO_PASSWORD, PASSWORD } from '../testing/index.ts';
import { type MailedLogin, requestMailed, requestOnly } from './testing.ts';
import { codeIn, moveClock, someEmail } from '@gatehouse/accounts/testing';
import { newOwner } from '../testing/two-factor.ts';
import { newPasskeyOwner, send } from '../testing/passkeys.ts';

describe('login with a mailed code', () => {
  const { core, member, someone } = cast({ EMAIL_LOGIN: 'users' });
  before(() => moveClock(core().app, 0));

  const login = (body: object) => send(core(), body);
  const isMailed = ({ email }: Person) => requestMailed(core(), email);
  const refused = async (body: object): Promise<unknown> => {
    const answer = await login(body).expect(404);
    return { ...answer.body, traceId: undefined };
  };
  const person = async () => isMailed(await member());

  it('opens one session of thirty uses at once, and uses the code up', async () => {
    const ann = await member();
    const mailed = await isMailed(ann);
    const answers = await atOnce(30, () => login({ ...mailed, DeviceName: 'Kiosk' }));
    assert.deepEqual([countOf(200, answers), countOf(404, answers)], [1, 29]);
    const opened = answers.find(({ status }) => status === 200);
    assert.equal(await core().pingWith(opened?.body.Token), 1);
    const sessions = await ann.sessions<object>('authenticated_by as by, device_name as device');
    assert.deepEqual(sessions, [{ by: ['mail-code'], device: 'Kiosk' }]);
    await refused(mailed);
  });

  it('has one response for each code that does not work', async () => {
    const mailed = await person();
    const other = await person();
    const expected = await refused({ Username: mailed.Username, Password: 'not the password' });
    const wrong = { ...mailed, MailCode: mailed.MailCode.startsWith('2') ? '3333-3333' : '2222-2222' };
    const token = await requestOnly(core(), mailed.Username);
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
    const sql = 'select extract(epoch from max(expires_at) - now())::float as seconds from login_code';
    const [left] = await core().sql<{ seconds: number }>(sql);
    assert.ok(left !== undefined && left.seconds > 590 && left.seconds <= 600);
    await core().sql(`update login_code set expires_at = expires_at - interval '600 seconds'`);
    await refused(mailed);
  });

  it('refuses a code after the password was changed, and after the email was', async () => {
    const ann = await member();
    const mailed = await isMailed(ann);
    const change = { CurrentPassword: PASSWORD, Password: 'another password' };
    await (await ann.session()).post('/account/change-password', change).expect(200);
    await refused(mailed);
    const moved = await isMailed(ann);
    const now = someEmail();
    await ann.set(`email = '${now}', email_key = '${now}'`);
    await refused(moved);
    await refused({ ...moved, Username: now });
  });

  it('refuses a code, and the token of its second step, after the role was changed', async () => {
    const [ann, bob] = [await member(), await member()];
    const [mailed, waiting] = [await isMailed(ann), await isMailed(bob)];
    await bob.set('two_factor_required = true');
    const { TwoFactorToken } = (await login(waiting).expect(200)).body;
    for (const one of [ann, bob])
      for (const role of ['Admin', 'User'] as const)
        await changeAccount(core().app, await one.id(), { role }, BY_SYSTEM);
    await refused(mailed);
    await refused({ TwoFactorToken, TwoFactorCode: '123456' });
    assert.deepEqual(await core().sql('select 1 from two_factor_challenge where expires_at > now()'), []);
  });

  it('names every missing field, and uses up no try', async () => {
    const mailed = await person();
    for (let time = 0; time < 2; time += 1)
      for (const name of ['Username', 'MailCode', 'RequestToken'] as const)
        await login({ ...mailed, [name]: undefined }).expect(problem('invalid_request', `/${name}`));
    await login({ ...mailed, Password: PASSWORD }).expect(400);
    // Five tries would be too many.
    await login(mailed).expect(200);
  });

  it('counts five tries for each request', async () => {
    const mailed = await person();
    assert.equal(countOf(404, await atOnce(12, () => login({ ...mailed, MailCode: '2222-2222' }))), 12);
    await login(mailed).expect(404);
    await login(await requestMailed(core(), mailed.Username)).expect(200);
  });

  it('lets codes for several browsers live side by side, and one use void the others', async () => {
    const ann = await member();
    const [mine, strangers] = [await isMailed(ann), await isMailed(ann)];
    await login({ ...mine, MailCode: strangers.MailCode }).expect(404);
    await login(mine).expect(200);
    await login(strangers).expect(404);
  });

  it('lets a browser that got no mail beyond the limit use the newest code', async () => {
    const ann = await member();
    let newest: MailedLogin | undefined;
    for (let time = 0; time < 5; time += 1) newest = await isMailed(ann);
    const RequestToken = await requestOnly(core(), ann.email);
    await areDone(core());
    assert.equal((await ann.mails()).length, 5);
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

  it('that was asked for at a known address answers no request from another one', async () => {
    const ann = await member();
    for (let time = 1; time <= 5; time += 1) await isMailed(ann);
    await core().sql('update login_code set is_known = true where account_id = ?', [await ann.id()]);
    await isMailed(ann);
  });

  for (const [status, sets] of [
    [3, 'is_disabled = true'],
    [7, 'new_password_required = true'],
  ] as const)
    it(`answers with status ${status} as for a password, before and after the code is mailed`, async () => {
      const ann = await member();
      await ann.set(sets);
      const { body: expected } = await ann.logsIn().expect(403);
      const { body } = await login(await isMailed(ann)).expect(403);
      assert.deepEqual({ ...body, traceId: '' }, { ...expected, traceId: '' });
      assert.equal(body.LoginStatus, status);
    });

  it('does not say that a guest waits for an invitation, even with the right code', async () => {
    const ann = await member();
    const mailed = await isMailed(ann);
    await ann.set(`role = 'Guest', signup = 'invitation', ${NO_PASSWORD}`);
    await login(mailed).expect(404);
  });

  it('still asks for the second factor, and uses the code up', async () => {
    const { email, phone } = await newOwner(core());
    const ann = someone(email);
    const mailed = await isMailed(ann);
    const { body } = await login(mailed).expect(200);
    assert.deepEqual([body.LoginStatus, body.Token], [2, undefined]);
    await login(mailed).expect(404);
    const second = { TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() };
    assert.equal(await core().pingWith((await login(second).expect(200)).body.Token), 1);
    const [session] = await ann.sessions<object>('authenticated_by as by', 'ended_at is null');
    assert.deepEqual(session, { by: ['mail-code', 'second-factor'] });
  });

  it('verifies the email of a new registration, and discards the password that was registered', async () => {
    const ann = someone();
    await ann.registers(PASSWORD, { DisplayName: 'Eve' }).expect(200);
    const [Code] = await ann.codes();
    await login(await isMailed(ann)).expect(200);
    const emptied = { password_scheme: null, display_name: null, new_password_required: false };
    const columns = `email_verified_at is null as pending, ${Object.keys(emptied).join()}`;
    assert.deepEqual(await ann.row(columns), { pending: false, ...emptied });
    await ann.logsIn().expect(404);
    // The button in the mail of the registration no longer discards anything.
    await ann.verifies(Code, { RegistrationToken: '' }).expect(400);
    const verified = (await ann.audit()).entries.filter(({ action }) => action === 'account.verified');
    assert.deepEqual(fieldsOf(verified, 'details'), [{ Contested: true }]);
  });

  it('leaves a contested registration to the code that verifies it', async () => {
    const ann = someone();
    for (const password of [PASSWORD, 'another good password']) await ann.registers(password).expect(200);
    const code = (await ann.codes()).at(-1);
    assert.equal((await login(await isMailed(ann)).expect(403)).body.LoginStatus, 4);
    await ann.verifies(code).expect(200);
  });
});

describe('login with a mailed code', () => {
  const off = cast();

  for (const [setting, { core, member }, named] of [
    ['guests', cast({ EMAIL_LOGIN: 'guests' }), ['Guest']],
    ['users', cast({ EMAIL_LOGIN: 'users' }), ['Guest', 'User']],
  ] as const)
    it(`is for those whom EMAIL_LOGIN=${setting} names, and never for administrators and programs`, async () => {
      const people = {
        Guest: await member({ role: 'Guest' }),
        User: await member(),
        program: await member(),
      };
      const all = Object.entries({ Admin: await member({ role: 'Admin' }), ...people });
      await people.program.set('is_service = true');
      for (const [, { email }] of all)
        await core().post('/account/login/email', { Email: email }).expect(202);
      await areDone(core());
      const mailed: string[] = [];
      for (const [who, ann] of all)
        if ((await ann.mailTypes()).includes('account.login-code-requested')) mailed.push(who);
      assert.deepEqual(mailed, named);
    });

  it('is off by default', async () => {
    const ann = await off.member();
    await ann.post('/account/login/email', { Email: ann.email }).expect(problem('conflict'));
    await ann
      .logsIn(undefined, { Password: undefined, MailCode: '2222-2222', RequestToken: 'x' })
      .expect(404);
  });
});

describe('a change of what opens an account that mailed codes open', () => {
  const { core, member, someone, memberWithSession } = cast({ EMAIL_LOGIN: 'users', SINGLE_SESSION: false });
  const codeTo = async (ann: Pick<Person, 'mails'>) => codeIn(await ann.mails());

  it('asks for a code at the old address before the email changes, besides the password', async () => {
    const [ann, wish] = [await member(), someone()];
    const session = await ann.session();
    const change = (body: object) => session.post('/account/change-email', { Email: wish.email, ...body });
    await change({ Password: 'not the password' }).expect(problem('wrong_password'));
    await change({}).expect(problem('invalid_request'));
    const before = (await ann.mails()).length;
    await change({ Password: PASSWORD }).expect(problem('mail_code_required'));
    assert.equal((await ann.mails()).length, before + 1);
    const MailCode = await codeTo(ann);
    const wrong = MailCode.startsWith('2') ? '3333-3333' : '2222-2222';
    await change({ Password: PASSWORD, MailCode: wrong }).expect(problem('invalid_code'));
    assert.deepEqual(await wish.mails(), []);
    await change({ Password: PASSWORD, MailCode }).expect(200);
    await session.post('/account/confirm-email', { Code: await codeTo(wish) }).expect(200);
    assert.equal(await wish.id(), await ann.id());
    await change({ Password: PASSWORD, MailCode }).expect(problem('invalid_code'));
  });

  it('asks an owner without a password for the code alone', async () => {
    const [ann, session] = await memberWithSession();
    await ann.set(NO_PASSWORD);
    const change = (body: object) => session.post('/account/change-email', { Email: someEmail(), ...body });
    await change({}).expect(problem('mail_code_required'));
    await change({ MailCode: await codeTo(ann) }).expect(200);
  });

  it('asks for a code before the last passkey is removed, and for no other', async () => {
    const owner = await newPasskeyOwner(core());
    const [first, last] = [await owner.add(), await owner.add()];
    const ann = someone(owner.email);
    await ann.set(NO_PASSWORD);
    const { remove } = owner;
    await remove(first.Id).expect(204);
    await remove(last.Id).expect(problem('mail_code_required'));
    await remove(last.Id, { MailCode: 'x' }).expect(problem('invalid_code'));
    // Mailed codes count as a way to log in: the passkey is not the last one.
    await remove(last.Id, { MailCode: await codeTo(ann) }).expect(204);
  });
});
