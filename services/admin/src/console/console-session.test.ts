import assert from 'node:assert/strict';
import { PASSWORD, switchOnTwoFactor, statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { cast, cookieLine, problem, SAME_ORIGIN } from '../testing/cast.ts';

const COOKIE =
  /^__Host-gatehouse-console=2\.console\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('the session of the console', () => {
  const { app, http, login, member, openConsole, signIn } = cast();

  it('is opened for administrators, with a cookie that is valid on Admin until logout', async () => {
    const ann = await member({ role: 'Admin' });
    const browser = await openConsole(ann.email);
    const { Account, Token } = browser.session;
    assert.deepEqual([Account.Email, Account.Role, Token], [ann.email, 'Admin', undefined]);
    assert.deepEqual(await browser.read('/console/session'), browser.session);
    await browser.get('/admin/account').expect(200);
    assert.deepEqual((await browser.post('/console/session/ping').expect(200)).body, { PingStatus: 1 });
    const closed = await browser.delete('/console/session').expect(204);
    assert.match(cookieLine(closed), /^__Host-gatehouse-console=; Path=\/; Max-Age=0; /);
    assert.equal(closed.headers['clear-site-data'], '"cache"');
    await browser.get('/console/session').expect(problem('session_ended'));
  });

  it('is told to the console that asks whose it is, and that there is none is no error', async () => {
    const visit = async (headers: Record<string, string>) => {
      const { status, body } = await http().get('/console/visitor').set(headers);
      return [status, body.code ?? body.Session?.Account.Email];
    };
    const ann = await member({ role: 'Admin' });
    const { headers } = await openConsole(ann.email);
    const { Token } = await login(ann);
    for (const none of [{}, { authorization: `Bearer ${Token}` }])
      assert.deepEqual(await visit({ ...SAME_ORIGIN, ...none }), [200, undefined]);
    assert.deepEqual(await visit(headers), [401, 'session_replaced']);
    const { headers: anew } = await openConsole(ann.email);
    assert.deepEqual(await visit(anew), [200, ann.email]);
    await ann.set(`role = 'User'`);
    assert.deepEqual(await visit(anew), [403, 'forbidden']);
  });

  it('is refused to others, who lose no session and are not asked for a second factor', async () => {
    for (const role of ['User', 'Guest'] as const) {
      const ben = await member({ role });
      await login(ben);
      const { status, body, headers } = await signIn({ Username: ben.email, Password: PASSWORD });
      assert.deepEqual([status, body.code, headers['set-cookie']], [403, 'forbidden', undefined]);
      assert.equal((await ben.sessions()).length, 1);
    }
    const carl = await member();
    await switchOnTwoFactor(app(), carl.id);
    const { body } = await signIn({ Username: carl.email, Password: PASSWORD }).expect(403);
    assert.deepEqual([body.code, body.TwoFactorToken], ['forbidden', undefined]);
    const wrong = { Username: carl.email, Password: 'wrong horse battery' };
    await signIn(wrong).expect(problem('authentication_failed'));
  });

  it('requires the second factor of the account', async () => {
    const ann = await member({ role: 'Admin' });
    const phone = await switchOnTwoFactor(app(), ann.id);
    const { body } = await signIn({ Username: ann.email, Password: PASSWORD }).expect(200);
    assert.equal(body.LoginStatus, 2);
    const step = { TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() };
    const answer = await signIn(step).expect(200);
    assert.match(cookieLine(answer), COOKIE);
  });

  it('is not opened with a login step from before a demotion', async () => {
    const ann = await member({ role: 'Admin' });
    const phone = await switchOnTwoFactor(app(), ann.id);
    const { body } = await signIn({ Username: ann.email, Password: PASSWORD }).expect(200);
    await ann.set(`role = 'User'`);
    await login(ann);
    const step = { TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() };
    await signIn(step).expect(problem('forbidden'));
    assert.equal((await ann.sessions()).length, 1);
  });
});

describe('confirmation by an administrator with a second factor', () => {
  const { addPasskey, app, member, openConsole, signIn, sql } = cast();

  /** An administrator with two-factor authentication who signed in some time ago. */
  const signedIn = async () => {
    const ann = await member({ role: 'Admin' });
    const phone = await switchOnTwoFactor(app(), ann.id);
    const browser = await openConsole(ann.email, { TwoFactorCode: phone.nextCode() });
    const age =
      "update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?";
    await sql(age, [ann.id]);
    const confirmed =
      'select 1 from session_confirmation join user_session s on s.id = session_id where account_id = ?';
    const isConfirmed = async () => (await sql(confirmed, [ann.id])).length === 1;
    return { ...ann, ...browser, phone, isConfirmed };
  };

  it('cannot be avoided with a stolen cookie and the password', async () => {
    const ann = await signedIn();
    const createToken = () => ann.post('/admin/api-token', { Name: 'lasting', Role: 'Admin' });
    await createToken().expect(403);
    await ann.confirm({ Password: PASSWORD }).expect(403);
    const own = `/admin/account/${ann.id}`;
    await ann.delete(`${own}/two-factor`).expect(403);
    await ann.patch(own, { TwoFactorRequired: false }).expect(200);
    assert.equal((await signIn({ Username: ann.email, Password: PASSWORD }).expect(200)).body.LoginStatus, 2);
    await createToken().expect(403);
  });

  it('does not accept a password if a passkey is the only required second factor', async () => {
    const ann = await signedIn();
    await sql('delete from two_factor where account_id = ?', [ann.id]);
    await ann.set('two_factor_required = true');
    await addPasskey(ann.id);
    await ann.confirm({ Password: PASSWORD }).expect(problem('confirmation_required'));
    assert.equal(await ann.isConfirmed(), false);
  });

  it('accepts a code, once, or a recovery code', async () => {
    const ann = await signedIn();
    assert.equal(ann.session.Account.ConfirmsWithCode, true);
    await ann.confirm({ TwoFactorCode: ann.phone.wrongCode() }).expect(problem('wrong_code'));
    assert.equal(await ann.isConfirmed(), false);
    const TwoFactorCode = ann.phone.nextCode();
    const answers = await atOnce(5, () => ann.confirm({ TwoFactorCode }));
    assert.deepEqual(statusesOf(answers), [204, 403, 403, 403, 403]);
    assert.equal(await ann.isConfirmed(), true);
    const ben = await signedIn();
    await ben.confirm({ TwoFactorCode: ben.phone.recoveryCodes[0] }).expect(204);
    assert.equal(await ben.isConfirmed(), true);
  });

  it('accepts one proof at a time', async () => {
    const ann = await signedIn();
    const TwoFactorCode = ann.phone.nextCode();
    for (const body of [
      {},
      { Password: PASSWORD, TwoFactorCode },
      { TwoFactorCode, PasskeyToken: 'x' },
      { Password: PASSWORD, SignOnCode: 'y' },
    ])
      await ann.confirm(body).expect(400);
    assert.equal(await ann.isConfirmed(), false);
  });
});
