import assert from 'node:assert/strict';
import { optionalSecret, secret, setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { settings } from '../config.ts';
import { effectiveSettings } from './effective-settings.ts';

const CANARY = 'a secret that nobody may see, ever';

describe('the settings in force', () => {
  const schema = Type.Object({
    KEY: secret('a key'),
    OTHER_KEY: optionalSecret('another'),
    URL: setting('', 'an address'),
    URLS: setting('', 'addresses'),
    PEM: setting('', 'a certificate'),
    COUNT: setting(7, 'a count'),
    IS_ON: setting(false, 'a switch'),
  });
  const valuesOf = (config: Record<string, unknown>) =>
    Object.fromEntries(effectiveSettings(schema, config).map(({ name, value }) => [name, value]));

  it('show whether a secret is set', () => {
    const { KEY, OTHER_KEY, COUNT, IS_ON } = valuesOf({ KEY: CANARY, COUNT: 8, IS_ON: false });
    assert.deepEqual([KEY, OTHER_KEY, COUNT, IS_ON], ['set', null, 8, false]);
  });

  it('show no user name, password or query of an address', () => {
    for (const [given, shown] of [
      ['https://example.com/path', 'https://example.com/path'],
      ['https://ann:pass@example.com/path?token=x#y', 'https://example.com/path'],
      ['https://ann:p@ss@example.com', 'https://example.com'],
      ['https://ann:p/a?s#s@example.com/x', 'https://example.com/x'],
      ['redis://:pass@one:1,rediss://u:pass@two:2/0', 'redis://one:1,rediss://two:2/0'],
      ['Gatehouse <no-reply@example.com>', 'Gatehouse <no-reply@example.com>'],
      ['app.example:/callback', 'app.example:/callback'],
    ]) {
      assert.equal(valuesOf({ URL: given })['URL'], shown);
    }
    assert.equal(valuesOf({ PEM: '-----BEGIN\nMII' })['PEM'], 'set');
  });

  it('include all settings of the service, without secrets', () => {
    const config = Object.fromEntries(
      Object.keys(settings.properties).map((name) => [name, `x://${CANARY}@y`]),
    );
    const shown = effectiveSettings(settings, config);
    assert.equal(shown.length, Object.keys(settings.properties).length);
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'AMQP_URL',
      'TOKEN_SECRET',
      'PASSWORD_PEPPER',
      'SSO_PROVIDERS',
    ])
      assert.equal(shown.find((one) => one.name === name)?.value, 'set', name);
    for (const { name, value } of shown) {
      if (!/SECRET|PEPPER|PASSWORD|_KEYS?$/.test(name) || /^PASSWORD_(MIN|HASH)/.test(name)) continue;
      if (!name.endsWith('_PUBLIC_KEY')) assert.equal(value, 'set', name);
    }
  });
});
