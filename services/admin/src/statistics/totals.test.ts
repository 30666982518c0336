import assert from 'node:assert/strict';
import { connectDb } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { startAdmin, type TestAdmin } from '../testing/index.ts';
import { measureOnline } from './totals.ts';

describe('the metric of sessions online', () => {
  let admin: TestAdmin;
  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin.stop());

  const lineOf = async (db: TestAdmin['app']['db']) => {
    const metrics = createMetrics('test');
    measureOnline({ db, onlineWindowSeconds: 60, metrics });
    return (await metrics.metrics()).split('\n').find((line) => line.startsWith('gatehouse_sessions_online'));
  };

  it('counts sessions that were pinged within the window', async () => {
    const [seen, unseen] = [await admin.newAccount(), await admin.newAccount()];
    await admin.login(unseen);
    await admin.login(seen);
    await admin.app.db('user_session').where({ account_id: seen.id }).update({ last_pinged_at: new Date() });
    assert.equal(await lineOf(admin.app.db), 'gatehouse_sessions_online{service="test"} 1');
  });

  it('is left out, and fails no scrape, while Postgres is away', async () => {
    const db = connectDb({ url: 'postgres://x:x@127.0.0.1:1/x', applicationName: 'test', poolMax: 1 });
    try {
      assert.equal(await lineOf(db), undefined);
    } finally {
      await db.destroy();
    }
  });
});
