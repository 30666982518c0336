import assert from 'node:assert/strict';
import { ConfigError, mailPublicKeyOf } from '@gatehouse/runtime';
import { readCoreConfig } from './config.ts';

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
    assert.deepEqual(readCoreConfig(environment).faceRules, {
      sharpnessFloor: 0.3,
      automatchThreshold: 0.9,
      margin: 0.05,
      probableThreshold: 0.7,
    });
    const equal = { FACE_PROBABLE_THRESHOLD: '0.9', FACE_MARGIN: '0' };
    assert.equal(readCoreConfig({ ...environment, ...equal }).faceRules.probableThreshold, 0.9);
  });

  for (const [name, value] of [
    ['PERSON_ROLES', 'Guest'],
    ['FACE_SHARPNESS_FLOOR', '1.1'],
    ['FACE_AUTOMATCH_THRESHOLD', '0.69'],
    ['FACE_MARGIN', '2'],
    ['FACE_PROBABLE_THRESHOLD', '0.91'],
  ] as const) {
    it(`refuse ${name}=${value}`, () => {
      assert.throws(() => readCoreConfig({ ...environment, [name]: value }), ConfigError);
    });
  }
});
