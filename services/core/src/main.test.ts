import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during, testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { ConfigError, mailPublicKeyOf } from '@gatehouse/runtime';
import { readCoreConfig } from './config.ts';
import { faceRules } from './testing/index.ts';

describe('core on a machine with IPv6 alone', () => {
  const database = during(testDatabase);

  it('answers, is ready, and knows its clients', async () => {
    const addresses = { HOST: '::1', INTERNAL_HOST: '::1', TRUST_PROXY: '::1' };
    const core = await startService('core', { DATABASE_URL: database.urlAs('core'), ...addresses });
    await core.http.get('/ping').expect(200);
    await eventually(async () => (await core.internal.get('/health/ready')).status === 200);
    const wrong = { Username: 'nobody@example.com', Password: 'a wrong password' };
    await core.http.post('/account/login').set('x-forwarded-for', '2001:db8::7').send(wrong).expect(404);
    const sql = 'select host(ip_address) from sign_in';
    assert.equal(await eventually(() => query.value<string>(database.db, sql)), '2001:db8::7');
    await core.stop();
  });
});

const secret = 'x'.repeat(32);
const environment = {
  DATABASE_URL: 'postgres://localhost/x',
  REDIS_URL: 'redis://localhost',
  AMQP_URL: 'amqp://localhost',
  ISSUER: 'https://gatehouse.example',
  TOKEN_SECRET: secret,
  PASSWORD_PEPPER: secret,
  TWO_FACTOR_KEY: secret,
  MAIL_PUBLIC_KEY: mailPublicKeyOf(secret),
};

describe("Core's settings", () => {
  it('have consistent rules for faces', () => {
    assert.deepEqual(readCoreConfig(environment).faceRules, faceRules);
    const equal = { FACE_PROBABLE_THRESHOLD: '0.9', FACE_MARGIN: '0' };
    assert.equal(readCoreConfig({ ...environment, ...equal }).faceRules.probableThreshold, 0.9);
  });

  for (const [name, value] of [
    ['PERSON_ROLES', 'Guest'],
    ['FACE_SHARPNESS_FLOOR', '1.1'],
    ['FACE_AUTOMATCH_THRESHOLD', '0.69'],
    ['FACE_MARGIN', '2'],
    ['FACE_PROBABLE_THRESHOLD', '0.91'],
  ] as const)
    it(`refuse ${name}=${value}`, () =>
      assert.throws(() => readCoreConfig({ ...environment, [name]: value }), ConfigError));
});
