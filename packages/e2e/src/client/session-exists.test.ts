import assert from 'node:assert/strict';
import { switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { installation } from './testing/installation.ts';

describe('a login with gatehouse-client while every slot is taken', function () {
  this.timeout(30_000);
  const at = installation({ SESSION_SLOTS: 'web:1,mobile:1', SESSION_LIMIT: 'refuse' });

  it('tells which session is in the way, and ends it if the user agrees', async () => {
    const person = await at.newPerson();
    const [first, second] = [at.open(), at.open()];
    await first.auth.login({ ...person, DeviceName: 'Ann’s laptop' });
    const outcome = await second.auth.login(person);
    assert.ok(outcome.kind === 'session-exists');
    assert.deepEqual(
      outcome.active.map(({ DeviceName }) => DeviceName),
      ['Ann’s laptop'],
    );
    assert.equal(second.auth.getState().kind, 'signed-out');
    const taken = await outcome.takeOver();
    assert.equal(taken.kind, 'signed-in');
    await assert.rejects(first.auth.api.getProfile(), { code: 'session_replaced' });
    const again = await outcome.takeOver();
    assert.ok(again.kind === 'refused' && again.code === 'authentication_failed');
  });

  it('needs no second code', async () => {
    const person = await at.newPerson();
    const phone = await switchOnTwoFactor(at.services.app, person.id);
    const [first, second] = [at.open(), at.open()];
    await first.auth.login({ ...person, TwoFactorCode: phone.nextCode() });
    const asked = await second.auth.login(person);
    assert.ok(asked.kind === 'second-factor');
    const outcome = await second.auth.loginWithCode(asked.token, phone.nextCode());
    assert.ok(outcome.kind === 'session-exists');
    assert.equal((await outcome.takeOver()).kind, 'signed-in');
  });

  it('takes a slot of the tag of its device, with every step', async () => {
    const person = await at.newPerson();
    const phone = await switchOnTwoFactor(at.services.app, person.id);
    await at.open().auth.login({ ...person, TwoFactorCode: phone.nextCode() });
    const { auth } = at.open({ sessionTag: 'mobile' });
    const asked = await auth.login(person);
    assert.ok(asked.kind === 'second-factor');
    assert.equal((await auth.loginWithCode(asked.token, phone.nextCode())).kind, 'signed-in');
    const rows = await query<{ tag: string }>(
      at.services.app.db,
      'select tag from user_session where account_id = ? and ended_at is null order by tag',
      [person.id],
    );
    assert.deepEqual(
      rows.map(({ tag }) => tag),
      ['mobile', 'web'],
    );
  });
});
