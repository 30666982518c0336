import assert from 'node:assert/strict';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';

const PROVIDER = {
  id: 'corp',
  // No server listens on this port ("discard").
  issuer: 'http://127.0.0.1:9',
  clientId: 'gatehouse',
  clientSecret: 'known to both of us alone',
  returnUrls: ['https://app.gatehouse.test/'],
};

describe('Admin with identity providers', function () {
  this.timeout(60_000);
  let database: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  const start = (...providers: object[]) =>
    startService('admin', {
      DATABASE_URL: database.url,
      ADMIN_URL: 'https://admin.gatehouse.test',
      SSO_PROVIDERS: JSON.stringify(providers),
    });

  it('starts, is ready and serves everything else while a provider is down', async () => {
    const admin = await start(PROVIDER);
    try {
      // Redis is used only shortly after the start.
      await eventually(async () => {
        const { body } = await admin.internal.get('/health/ready');
        assert.equal(body.ready, true, JSON.stringify(body));
        return true;
      });
      const login = await admin.http.get('/auth/corp/login');
      assert.deepEqual([login.status, login.body.code], [503, 'unavailable']);
      assert.equal((await admin.http.get('/admin/content-definition')).status, 401);
    } finally {
      assert.equal(await admin.stop(), 0);
    }
  });

  it('refuses an invalid provider at startup, without printing a secret', async () => {
    await assert.rejects(
      start({ ...PROVIDER, provisioning: 'jit', scopes: ['email'] }),
      ({ message }: Error) => {
        assert.match(message, /Invalid SSO_PROVIDERS, 2 error\(s\)/);
        assert.match(message, /provider 1: scopes must include openid/);
        return !message.includes(PROVIDER.clientSecret);
      },
    );
  });
});
