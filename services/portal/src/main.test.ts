import assert from 'node:assert/strict';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';

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

  it('starts as a separate process and reports that it is ready', async () => {
    // Redis is used only shortly after the start.
    await eventually(async () => {
      const { status, body } = await portal.internal.get('/health/ready');
      assert.deepEqual([status, body.ready], [200, true], JSON.stringify(body));
      return true;
    });
    assert.match(
      (await portal.internal.get('/metrics')).text,
      /^process_cpu_seconds_total\{service="portal"\}/m,
    );
  });

  it('serves its OpenAPI document and refuses other paths', async () => {
    const document = await portal.http.get('/openapi.json');
    assert.deepEqual([document.status, document.body.info.title], [200, 'Gatehouse Portal API']);
    assert.equal((await portal.http.get('/docs')).status, 200);
    const other = await portal.http.get('/health/ready');
    assert.deepEqual([other.status, other.body.code], [404, 'not_found']);
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

  it('stops with exit code 0 on SIGTERM', async () => {
    assert.equal(await portal.stop(), 0);
  });
});
