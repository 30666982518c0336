import assert from 'node:assert/strict';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';

describe('admin', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let admin: Awaited<ReturnType<typeof startService>>;
  before(async () => {
    database = await testDatabase();
    admin = await startService('admin', {
      DATABASE_URL: database.urlAs('admin'),
    });
  });
  after(async () => {
    await admin.stop();
    await database.drop();
  });

  it('starts as a separate process and reports that it is ready', async () => {
    // Redis is used only shortly after the start.
    await eventually(async () => {
      const { status, body } = await admin.internal.get('/health/ready');
      assert.deepEqual([status, body.ready], [200, true], JSON.stringify(body));
      return true;
    });
    assert.match(
      (await admin.internal.get('/metrics')).text,
      /^process_cpu_seconds_total\{service="admin"\}/m,
    );
  });

  it('serves its OpenAPI document and refuses other paths', async () => {
    const document = await admin.http.get('/openapi.json');
    assert.deepEqual([document.status, document.body.info.title], [200, 'Gatehouse Admin API']);
    assert.equal((await admin.http.get('/docs')).status, 200);
    const other = await admin.http.get('/health/ready');
    assert.deepEqual([other.status, other.body.code], [404, 'not_found']);
  });

  it('stops with exit code 0 on SIGTERM', async () => {
    assert.equal(await admin.stop(), 0);
  });
});
