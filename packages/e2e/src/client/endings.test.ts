import assert from 'node:assert/strict';
import type { Ending, EndingReason } from 'gatehouse-client';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { endingsOf, installation, signIn } from './testing/installation.ts';
import type { Installation, TestClient } from './testing/installation.ts';

describe('the end of a session in gatehouse-client', () => {
  const at = installation();
  let person: Awaited<ReturnType<Installation['newPerson']>>;
  let tabs: TestClient[];
  beforeEach(async () => {
    person = await at.newPerson();
    tabs = at.openTabs(3);
    await signIn({ ...person, DeviceName: 'the first' }, tabs);
  });

  const first = (): TestClient => tabs[0] ?? assert.fail();
  const told = async (reason: EndingReason): Promise<Ending> => {
    await eventually(() => tabs.every((tab) => endingsOf(tab).length > 0));
    for (const tab of tabs) {
      assert.deepEqual(fieldsOf(endingsOf(tab), 'reason'), [reason]);
      assert.equal(tab.auth.getState().kind, 'signed-out');
      assert.equal((await tab.storage.read())?.session, undefined);
    }
    return endingsOf(first())[0] ?? assert.fail();
  };
  for (const [detection, notice] of [
    ['a ping', (tab: TestClient) => tab.auth.ping()],
    ['a call', (tab: TestClient) => tab.auth.fetch('/ping/auth')],
  ] as const) {
    it(`is reported in every tab with the login that replaced it, detected by ${detection}`, async () => {
      await at.open().auth.login({ ...person, DeviceName: 'the second' });
      await notice(first());
      const { by } = await told('replaced');
      assert.equal(by?.DeviceName, 'the second');
    });
  }

  for (const [status, reason] of [
    [4, 'deactivated'],
    [7, 'expired'],
    [8, 'invite_deleted'],
  ] as const) {
    it(`is ${reason} where an administrator sets status ${status}`, async () => {
      await at.change({ UserId: person.id, Status: status });
      await first().auth.ping();
      await told(reason);
    });
  }

  it('is deactivated where the account is disabled, and account-expired where that is its state', async () => {
    await at.changeAccount(person.id, { isDisabled: true });
    await first().auth.ping();
    await told('deactivated');
    await at.changeAccount(person.id, { isDisabled: false });
    for (const tab of tabs) tab.told.length = 0;
    await signIn(person, tabs);
    await at.changeAccount(person.id, { expiresAt: new Date(0) });
    await first().auth.ping();
    await told('account-expired');
  });

  it('is a logout in every tab, and no call is sent as anybody afterwards', async () => {
    await first().auth.logout();
    await told('logged-out');
    await assert.rejects(async () => first().auth.fetch('/ping/auth'), { code: 'signed_out' });
    await first().auth.logout();
  });

  it('is read from storage by a tab that was suspended', async () => {
    const [, sleeper] = tabs;
    assert.ok(sleeper);
    sleeper.auth.close();
    await first().auth.logout();
    assert.equal(sleeper.auth.getState().kind, 'signed-in');
    // logout() reads the storage, and finds no session to end.
    await sleeper.auth.logout();
    assert.deepEqual(sleeper.told.at(-1), { name: 'ended', event: { reason: 'logged-out' } });
  });

  it('is not reported when chat is restricted or restored', async () => {
    const names = () => tabs.map(({ told: events }) => events.at(-1)?.name);
    await at.change({ UserId: person.id, Status: 2 });
    await first().auth.ping();
    await eventually(() => names().every((name) => name === 'restricted'));
    await at.change({ UserId: person.id, Status: 1 });
    await first().auth.ping();
    await eventually(() => names().every((name) => name === 'restored'));
    const state = first().auth.getState();
    assert.ok(state.kind === 'signed-in' && !state.session.isRestricted);
  });
});
