import assert from 'node:assert/strict';
import { during } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { changeAccount } from '../../index.ts';
import { BY_SYSTEM, openTestAccounts, peopleOf } from '../../testing/index.ts';

describe('events for account changes', () => {
  const app = during(() => openTestAccounts());
  // Without the relay, events stay in the outbox, where the tests read them.
  before(() => app.relay.stop());

  const { eventsOf, member } = peopleOf(() => app);

  it('contain the actor and the names of changed fields, but no personal data', async () => {
    const { id: UserId } = await member({ displayName: 'Ann Example' });
    await member({ role: 'Admin' });
    const actor = { kind: 'Account' as const, id: newId() };
    const by = { ...BY_SYSTEM, actor };
    await changeAccount(app, UserId, { displayName: 'Ann Other', role: 'Admin' }, by);
    await changeAccount(app, UserId, { role: 'Admin' }, by);
    await changeAccount(app, UserId, { role: 'User' }, BY_SYSTEM);
    assert.deepEqual(await eventsOf(UserId, 'account.%'), [
      ['account.updated', { UserId, ChangedBy: actor.id, Changed: ['Role', 'DisplayName'], Role: 'Admin' }],
      ['account.updated', { UserId, Changed: ['Role'], Role: 'User' }],
    ]);
  });

  it('are sent once each time an account is disabled or enabled', async () => {
    const { id: UserId } = await member();
    for (const isDisabled of [true, true, false]) await changeAccount(app, UserId, { isDisabled }, BY_SYSTEM);
    assert.deepEqual(await eventsOf(UserId, 'account.%'), [
      ['account.disabled', { UserId }],
      ['account.enabled', { UserId }],
    ]);
  });
});
