import assert from 'node:assert/strict';
import { during, testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { ConfigError } from '@gatehouse/runtime';
import { readOrigins } from './config.ts';

const PROVIDER = {
  id: 'corp',
  // No server listens on this port ("discard").
  issuer: 'http://127.0.0.1:9',
  clientId: 'gatehouse',
  clientSecret: 'known to both of us alone',
  returnUrls: ['https://app.gatehouse.test/'],
};
const withProvider = (more: object = {}) => ({
  ADMIN_URL: 'https://admin.gatehouse.test',
  SSO_PROVIDERS: JSON.stringify([{ ...PROVIDER, ...more }]),
});

describe('admin', () => {
  const database = during(testDatabase);
  const admin = during(() =>
    startService('admin', { DATABASE_URL: database.urlAs('admin'), ...withProvider() }),
  );

  it('starts as a separate process and reports that it is ready, while a provider is down', async () => {
    // Redis is used only shortly after the start.
    await eventually(async () => {
      const { status, body } = await admin.internal.get('/health/ready');
      assert.deepEqual([status, body.ready], [200, true], JSON.stringify(body));
      return true;
    });
    const { text } = await admin.internal.get('/metrics');
    assert.match(text, /^process_cpu_seconds_total\{service="admin"\}/m);
    const login = await admin.http.get('/auth/corp/login');
    assert.deepEqual([login.status, login.body.code], [503, 'unavailable']);
    assert.equal((await admin.http.get('/admin/content-definition')).status, 401);
  });

  it('refuses an invalid provider at startup, without printing a secret', async () => {
    const wrong = withProvider({ provisioning: 'jit', scopes: ['email'] });
    await assert.rejects(
      startService('admin', { DATABASE_URL: database.url, ...wrong }),
      ({ message }: Error) => {
        assert.match(message, /Invalid SSO_PROVIDERS, 2 error\(s\)/);
        assert.match(message, /provider 1: scopes must include openid/);
        return !message.includes(PROVIDER.clientSecret);
      },
    );
  });

  it('stops with exit code 0 on SIGTERM', async () => {
    assert.equal(await admin.stop(), 0);
  });
});

describe('FACE_IMAGE_ORIGINS', () => {
  it('are https origins, or local ones', () => {
    assert.deepEqual(readOrigins(''), []);
    const shown = readOrigins('https://images.example.com, http://127.0.0.1:9090,http://localhost');
    assert.deepEqual(shown, ['https://images.example.com', 'http://127.0.0.1:9090', 'http://localhost']);
  });

  for (const list of [
    'http://images.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'https://images.example.com/',
    'https://a.example; script-src *',
    'data:',
    '*',
  ])
    it(`are not ${JSON.stringify(list)}`, () => assert.throws(() => readOrigins(list), ConfigError));
});
