import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startTestMailWorker, type TestMailWorker } from './testing/index.ts';

describe('mails to an account that was erased', () => {
  let rig: TestMailWorker;
  beforeEach(async () => {
    rig = await startTestMailWorker();
  });
  afterEach(() => rig.close());

  it('are neither sent nor recorded, even if queued', async () => {
    const mail = await rig.send();
    await query(
      rig.db,
      `insert into erasure (id, account_id, asked_by_kind, erases_at) values (gen_random_uuid(), ?, 'System', now())`,
      [mail.accountId],
    );
    await query(rig.db, 'update erasure set erased_at = now()');
    await rig.startWorker();
    await eventually(async () => (await query(rig.db, 'select 1 from outbox')).length === 0);
    assert.deepEqual(await query(rig.db, 'select id from mail_delivery'), []);
    assert.ok(!rig.sink.mails.some(({ to }) => to.includes(mail.email)));
  });
});
