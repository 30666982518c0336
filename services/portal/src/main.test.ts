import assert from 'node:assert/strict';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';

describe('portal', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let portal: Awaited<ReturnType<typeof startService>>;
  before(async () => {
    database = await testDatabase();
    portal = await startService('portal', {
      DATABASE_URL: database.urlAs('portal'),
    });
  });
  after(async () => {
    await portal.stop();
    await database.drop();
  });

  it('serves the account pages, unless they are disabled', async () => {
    const { status, headers } = await portal.http.get('/login');
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    const without = await startService('portal', {
      DATABASE_URL: database.urlAs('portal'),
      HOSTED_PAGES: 'false',
    });
    for (const path of ['/login', '/profile', '/web/pages.json']) {
      assert.equal((await without.http.get(path)).status, 404, path);
    }
    assert.equal(await without.stop(), 0);
  });
});
