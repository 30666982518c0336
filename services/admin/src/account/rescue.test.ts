import assert from 'node:assert/strict';
import { askForSecondFactor, loginWithToken } from '@gatehouse/accounts';
import { codeIn, readAudit, someAddress, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, query, twoFactor } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing.ts';

const PATH = '/admin/account';

describe('an administrator who helps', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    // Without a broker its events stay in the outbox, where they can be counted.
    admin = await startAdmin({ AMQP_URL: 'amqp://127.0.0.1:9' });
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const reset = (id: string) => admin.post(`${PATH}/${id}/reset-password`, token);
  const removeTwoFactor = (id: string) => admin.call('delete', `${PATH}/${id}/two-factor`, token);
  const actions = async (id: string) =>
    (await readAudit(admin.house, { targetId: id })).entries.map(({ action }) => action);

  it('has the owner mailed a reset code, and sees none of it', async () => {
    const person = await admin.newAccount();
    const session = await admin.login(person);
    const { body } = await reset(person.id).expect(200);
    assert.deepEqual(body, {});
    assert.match(codeIn(await admin.house.mailsTo(person.email)), /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    assert.deepEqual(await actions(person.id), ['account.reset-started']);
    // The session goes on until the owner has set a password.
    assert.ok('role' in (await admin.house.auth.authenticate(`Bearer ${session.Token}`)));
  });

  it('mails no more than the owner’s share, without a word of it', async () => {
    const person = await admin.newAccount();
    for (let time = 0; time < 7; time += 1) await reset(person.id).expect(200);
    assert.equal((await admin.house.mailsTo(person.email)).length, 5);
  });

  for (const [state, isPossible] of [
    ['new_password_required = true', true],
    ['email_verified_at = null', true],
    ['is_disabled = true', false],
    ['expires_at = now()', false],
    [`signup = 'new', password_hash = null, password_scheme = null`, false],
  ] as const) {
    it(`${isPossible ? 'resets' : 'cannot reset'} an account with ${state.slice(0, 24)}`, async () => {
      const person = await admin.newAccount();
      await query(admin.house.db, `update account set ${state} where id = ?`, [person.id]);
      const answer = await reset(person.id).expect(isPossible ? 200 : 409);
      if (!isPossible) assert.equal(answer.body.code, 'conflict');
      assert.equal((await admin.house.mailsTo(person.email)).length, isPossible ? 1 : 0);
    });
  }

  it('removes a lost second factor: sessions and waiting logins end, the owner gets a mail', async () => {
    const person = await admin.newAccount();
    const app = await switchOnTwoFactor(admin.house, person.id);
    const session = await admin.login(person);
    const account = await accounts.findById(admin.house.db, person.id);
    assert.ok(account);
    const waiting = await askForSecondFactor(admin.house, account, undefined);
    assert.ok('TwoFactorToken' in waiting);

    await removeTwoFactor(person.id).expect(204, '');
    assert.equal(await twoFactor.find(admin.house.db, person.id), undefined);
    assert.deepEqual(await admin.house.auth.authenticate(`Bearer ${session.Token}`), {
      refused: 'session_deactivated',
    });
    const shown = {
      token: waiting.TwoFactorToken,
      code: app.recoveryCodes[0] ?? '',
      addressGroup: someAddress(),
    };
    assert.deepEqual(await loginWithToken(admin.house, shown, { traceId: '0', dueAt: Infinity }), {
      failed: true,
    });
    const mail = (await admin.house.mailsTo(person.email)).at(-1);
    assert.equal(mail?.type, 'account.two-factor-disabled');
    assert.ok(
      !('IpAddress' in (mail?.content ?? {})),
      'the administrator’s address is not the owner’s business',
    );
    assert.equal((await actions(person.id))[0], 'account.two-factor-removed');
    assert.equal((await removeTwoFactor(person.id).expect(409)).body.code, 'conflict');
  });

  it('is told that there is no such account', async () => {
    await reset(newId()).expect(404);
    await removeTwoFactor(newId()).expect(404);
    await reset('x').expect(400);
  });
});
