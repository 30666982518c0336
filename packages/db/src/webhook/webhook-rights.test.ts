import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';

describe('the rights of the hook worker', () => {
  let database: TestDatabase;
  let worker: Db;
  before(async () => {
    database = await testDatabase();
    const url = database.urlAs('hook-worker');
    worker = connectDb({ url, applicationName: 'test', poolMax: 1 });
  });
  after(async () => {
    await worker.destroy();
    await database.drop();
  });

  const newWebhook = async (isEnabled: boolean): Promise<string> => {
    const id = newId();
    await query(
      database.db,
      `insert into webhook (id, name, url, types, secret, is_enabled, disabled_at)
       values (:id, 'Billing', 'https://hooks.example.com', '{*}', 'x', :isEnabled, case when not :isEnabled then now() end)`,
      { id, isEnabled },
    );
    return id;
  };
  const change = (id: string, what: string) => query(worker, `update webhook set ${what} where id = ?`, [id]);

  it('let it disable a webhook and have that reported', async () => {
    const id = await newWebhook(true);
    await change(
      id,
      `is_enabled = false, disabled_reason = 'Gone', disabled_at = now(), is_reported = false`,
    );
    await assert.rejects(change(id, 'is_reported = true'), /permission denied to enable/);
  });

  it('do not let it enable one, or change where it posts to', async () => {
    const id = await newWebhook(false);
    await assert.rejects(change(id, 'is_enabled = true, disabled_at = null'), /permission denied to enable/);
    await assert.rejects(change(id, `url = 'https://evil.example'`), /permission denied for table webhook/);
  });
});
