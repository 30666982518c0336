import assert from 'node:assert/strict';
import { during, testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';

describe('portal', () => {
  const database = during(testDatabase);

  it('serves the account pages, unless they are disabled', async () => {
    const DATABASE_URL = database.urlAs('portal');
    const portal = await startService('portal', { DATABASE_URL });
    const without = await startService('portal', { DATABASE_URL, HOSTED_PAGES: 'false' });
    const { status, headers } = await portal.http.get('/login');
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    for (const path of ['/login', '/profile', '/web/pages.json'])
      assert.equal((await without.http.get(path)).status, 404, path);
    assert.deepEqual([await portal.stop(), await without.stop()], [0, 0]);
  });
});
