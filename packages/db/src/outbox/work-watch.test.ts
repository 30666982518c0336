import assert from 'node:assert/strict';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { inTransaction, type Db } from '../postgres/connect.ts';
import { testDatabase } from '../testing/index.ts';
import * as outbox from './outbox.ts';
import { createWorkWatch } from './work-watch.ts';

describe('createWorkWatch', () => {
  let db: Db;
  let drop: () => Promise<void>;
  before(async () => ({ db, drop } = await testDatabase()));
  after(() => drop());

  it('wakes the job of a table with due rows, not of others, and not while they are leased', async () => {
    const woken: string[] = [];
    const work = createWorkWatch(db);
    work.on('outbox', () => woken.push('outbox'));
    work.on('reset_request', () => woken.push('reset_request'));
    await work.look();
    assert.deepEqual(woken, []);
    const event = newEvent('account.registered', { UserId: uuid() });
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    await work.look();
    assert.deepEqual(woken, ['outbox']);
    await outbox.lease(db, { limit: 1, leaseSeconds: 60 });
    await work.look();
    assert.deepEqual(woken, ['outbox']);
  });
});
