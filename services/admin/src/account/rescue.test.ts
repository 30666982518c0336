import assert from 'node:assert/strict';
import { requestSecondFactor, loginWithToken, mailCode } from '@gatehouse/accounts';
import { codeIn, someAddress, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, twoFactor } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('account recovery by an administrator', () => {
  const { app, audit, boss, login, mailsTo, member, sql } = cast();

  const reset = (id: string) => boss.post(`${PATH}/${id}/reset-password`);
  const removeTwoFactor = (id: string) => boss.delete(`${PATH}/${id}/two-factor`);
  const actions = async (id: string) => (await audit({ targetId: id })).entries.map(({ action }) => action);

  it('mails the owner a reset code, which is not returned', async () => {
    const person = await member();
    const session = await login(person);
    const { body } = await reset(person.id).expect(200);
    assert.deepEqual(body, {});
    assert.match(codeIn(await mailsTo(person.email)), /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    assert.deepEqual(await actions(person.id), ['account.reset-started']);
    // The session stays active until the owner has set a password.
    assert.equal((await app().auth.authenticate(`Bearer ${session.Token}`)).kind, 'session');
  });

  it('reports when the hourly limit of such mails is reached, and does nothing', async () => {
    const person = await member();
    for (let time = 0; time < 5; time += 1) await reset(person.id).expect(200);
    const newest = await sql('select id from account_code where account_id = ?', [person.id]);
    const { body, headers } = await reset(person.id).expect(429);
    assert.equal(body.code, 'too_many_requests');
    const wait = Number(headers['retry-after']);
    assert.ok(wait > 3500 && wait <= 3600, headers['retry-after']);
    assert.equal((await mailsTo(person.email)).length, 5);
    assert.equal((await actions(person.id)).length, 5);
    assert.deepEqual(await sql('select id from account_code where account_id = ?', [person.id]), newest);
  });

  it('works if strangers have used up the owner’s own limit of mails', async () => {
    const person = await member();
    await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      const account = await accounts.lockById(tx, person.id);
      assert.ok(account);
      const ask = () => mailCode(app(), tx, account, 'reset', { traceId: '0' });
      for (let time = 0; time < 5; time += 1) assert.equal(await ask(), true);
      assert.equal(await ask(), false);
    });
    await reset(person.id).expect(200);
    assert.equal((await mailsTo(person.email)).length, 6);
  });

  const NO_PASSWORD = 'password_hash = null, password_scheme = null';
  for (const [status, state, role, refusal] of [
    ['none', 'is_disabled = false', 'User', undefined],
    [1, 'two_factor_required = true', 'User', undefined],
    [3, 'is_disabled = true', 'User', /is disabled/],
    [4, 'email_verified_at = null', 'User', undefined],
    [5, `signup = 'new', ${NO_PASSWORD}`, 'User', undefined],
    [5, `signup = 'new', ${NO_PASSWORD}`, 'Admin', undefined],
    [6, `signup = 'migration', ${NO_PASSWORD}`, 'User', undefined],
    [7, 'new_password_required = true', 'User', undefined],
    [7, `new_password_required = true, ${NO_PASSWORD}`, 'User', undefined],
    [8, 'expires_at = now()', 'User', /has expired/],
    [9, `signup = 'invitation', ${NO_PASSWORD}`, 'Guest', /accept the invitation/],
  ] as const) {
    it(`${refusal ? 'cannot reset, and says why,' : 'resets'} an account of a ${role} in status ${status}: ${state}`, async () => {
      const person = await member({ role });
      await sql(`update account set ${state} where id = ?`, [person.id]);
      const { body } = await reset(person.id).expect(refusal ? 409 : 200);
      if (refusal) {
        assert.equal(body.code, 'conflict');
        assert.match(body.detail, refusal);
      }
      assert.equal((await mailsTo(person.email)).length, refusal ? 0 : 1);
      assert.deepEqual(await actions(person.id), refusal ? [] : ['account.reset-started']);
    });
  }

  it('removes a lost second factor: sessions and waiting logins end, the owner gets a mail', async () => {
    const person = await member();
    const phone = await switchOnTwoFactor(app(), person.id);
    const session = await login(person);
    const account = await accounts.findById(app().db, person.id);
    assert.ok(account);
    const waiting = await requestSecondFactor(app(), account, { dueAt: Infinity });
    assert.ok(waiting.kind === 'asked');

    await removeTwoFactor(person.id).expect(204, '');
    assert.equal(await twoFactor.find(app().db, person.id), undefined);
    assert.deepEqual(await app().auth.authenticate(`Bearer ${session.Token}`), {
      kind: 'refused',
      code: 'session_deactivated',
    });
    const shown = {
      token: waiting.next.TwoFactorToken,
      code: phone.recoveryCodes[0] ?? '',
      addressGroup: someAddress(),
    };
    assert.deepEqual(await loginWithToken(app(), shown, { traceId: '0', dueAt: Infinity }), {
      kind: 'failed',
    });
    const mail = (await mailsTo(person.email)).at(-1);
    assert.equal(mail?.type, 'account.two-factor-disabled');
    assert.ok(
      !('IpAddress' in (mail?.content ?? {})),
      'the administrator’s address is not the owner’s business',
    );
    assert.equal((await actions(person.id))[0], 'account.two-factor-removed');
    assert.equal((await removeTwoFactor(person.id).expect(409)).body.code, 'conflict');
  });
});
