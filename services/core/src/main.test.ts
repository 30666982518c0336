import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';

describe('core on a machine with IPv6 alone', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let core: Awaited<ReturnType<typeof startService>>;
  before(async () => {
    database = await testDatabase();
    core = await startService('core', {
      DATABASE_URL: database.urlAs('core'),
      HOST: '::1',
      INTERNAL_HOST: '::1',
      TRUST_PROXY: '::1',
    });
  });
  after(async () => {
    await core.stop();
    await database.drop();
  });

  it('answers, is ready, and knows its clients', async () => {
    await core.http.get('/ping').expect(200);
    await eventually(async () => (await core.internal.get('/health/ready')).status === 200);
    await core.http
      .post('/account/login')
      .set('x-forwarded-for', '2001:db8::7')
      .send({ Username: 'nobody@example.com', Password: 'a wrong password' })
      .expect(404);
    const [found] = await eventually(async () => {
      const rows = await query<{ address: string }>(
        database.db,
        'select host(ip_address) as address from sign_in',
      );
      return rows.length > 0 && rows;
    });
    assert.equal(found?.address, '2001:db8::7');
  });
});
