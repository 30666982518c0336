import assert from 'node:assert/strict';
import { during } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { changeAccount } from '../../index.ts';
import { openTestAccounts, peopleOf } from '../../testing/index.ts';

const ORIGIN = { traceId: 'test', dueAt: Infinity };

describe('events for account changes', () => {
  const app = during(() => openTestAccounts());
  // Without the relay, events stay in the outbox, where the tests read them.
  before(() => app.relay.stop());

  const { eventsOf, member } = peopleOf(() => app);

  it('contain the actor and the names of changed fields, but no personal data', async () => {
    const { id: UserId } = await member({ displayName: 'Ann Example' });
    await member({ role: 'Admin' });
    const actor = { kind: 'Account' as const, id: newId() };
    const by = { actor, origin: ORIGIN };
    await changeAccount(app, UserId, { displayName: 'Ann Other', role: 'Admin' }, by);
    await changeAccount(app, UserId, { role: 'Admin' }, by);
    await changeAccount(app, UserId, { role: 'User' }, { actor: { kind: 'System' }, origin: ORIGIN });
    assert.deepEqual(await eventsOf(UserId, 'account.%'), [
      ['account.updated', { UserId, ChangedBy: actor.id, Changed: ['Role', 'DisplayName'], Role: 'Admin' }],
      ['account.updated', { UserId, Changed: ['Role'], Role: 'User' }],
    ]);
  });

  it('are sent once each time an account is disabled or enabled', async () => {
    const { id: UserId } = await member();
    const by = { actor: { kind: 'System' as const }, origin: ORIGIN };
    for (const isDisabled of [true, true, false]) await changeAccount(app, UserId, { isDisabled }, by);
    assert.deepEqual(await eventsOf(UserId, 'account.%'), [
      ['account.disabled', { UserId }],
      ['account.enabled', { UserId }],
    ]);
  });
});
