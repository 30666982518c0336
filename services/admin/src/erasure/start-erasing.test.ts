import assert from 'node:assert/strict';
import { connectDb, query } from '@gatehouse/db';
import { createMetrics, type Metrics } from '@gatehouse/runtime';
import { startAdmin, type TestAdmin } from '../testing/index.ts';
import { startErasing } from './erase-due.ts';

describe('the metrics of erasures', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const newDue = async (): Promise<string> => {
    const { id } = await admin.newAccount();
    await admin.call('delete', `/admin/account/${id}`, token, {}).expect(202);
    await query(
      admin.app.db,
      `update erasure set erases_at = now() - interval '2 hours' where account_id = ?`,
      [id],
    );
    return id;
  };
  const start = (accounts: Parameters<typeof startErasing>[0]) => {
    const metrics = createMetrics('test');
    let turn: () => Promise<unknown> = () => Promise.resolve();
    const lifecycle = { every: (_: number, __: string, work: () => Promise<unknown>) => void (turn = work) };
    startErasing(accounts, { lifecycle, metrics });
    return { metrics, turn: () => turn() };
  };
  const valueOf = async (metrics: Metrics, name: string): Promise<number | undefined> => {
    const line = (await metrics.metrics()).split('\n').find((text) => text.startsWith(name));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  const erased = 'gatehouse_erasures_total{result="erased"';
  const failed = 'gatehouse_erasures_total{result="failed"';
  const overdue = 'gatehouse_erasures_overdue_seconds';

  it('count erased and failed accounts, from 0, and show for how long one is overdue', async () => {
    const { metrics, turn } = start(admin.app.service);
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [0, 0]);
    const broken = await newDue();
    await newDue();
    await query(
      admin.app.db,
      `create function refuse_this_one() returns trigger language plpgsql as
       'begin raise exception ''not this one''; end'`,
    );
    await query(
      admin.app.db,
      `create trigger account_broken before delete on account for each row when (old.id = '${broken}')
       execute function refuse_this_one()`,
    );
    await turn();
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [1, 1]);
    const late = await valueOf(start(admin.app.service).metrics, overdue);
    assert.ok(late !== undefined && late >= 7200 && late < 7500, String(late));
    await query(admin.app.db, 'drop function refuse_this_one() cascade');
    await turn();
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [2, 1]);
    assert.equal(await valueOf(start(admin.app.service).metrics, overdue), 0);
  });

  it('fail no scrape while Postgres is away', async () => {
    const db = connectDb({ url: 'postgres://x:x@127.0.0.1:1/x', applicationName: 'test', poolMax: 1 });
    try {
      const { metrics } = start({ ...admin.app.service, db });
      assert.equal(await valueOf(metrics, overdue), undefined);
    } finally {
      await db.destroy();
    }
  });
});
