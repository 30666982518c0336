import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startCore, type TestCore } from '../testing/index.ts';

describe('requests for new passwords', () => {
  const metrics = createMetrics('test');
  let core: TestCore;
  before(async () => {
    core = await startCore({}, undefined, { metrics });
  });
  after(() => core.stop());

  const shown = async (name: string): Promise<number | undefined> => {
    await core.mailRequests.countWaiting();
    return (await metrics.getSingleMetric(`gatehouse_reset_requests_${name}`)?.get())?.values[0]?.value;
  };

  it('report in the metrics how many wait and for how long', async () => {
    const email = await core.newAccount();
    assert.deepEqual([await shown('waiting'), await shown('oldest_seconds')], [0, 0]);
    await core.app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where email = ? for update', [email]);
      for (const minutes of [60, 5]) {
        await query(
          core.app.db,
          `insert into reset_request (id, email_key, purpose, trace_id, created_at)
           values (?, ?, 'reset', '0', now() - make_interval(mins => ?))`,
          [newId({ msecs: Date.now() - minutes * 60_000 }), email, minutes],
        );
      }
      assert.equal(await shown('waiting'), 2);
      const age = (await shown('oldest_seconds')) ?? 0;
      assert.ok(age >= 3600 && age < 3700, String(age));
    });
    await eventually(async () => (await shown('waiting')) === 0, 15);
    assert.equal(await shown('oldest_seconds'), 0);
  });
});
