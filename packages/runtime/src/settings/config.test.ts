import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type TObject } from '@gatehouse/schema';
import { testFolder } from '../testing/index.ts';
import { ConfigError, optionalSecret, readConfig, readServiceConfig, secret, setting } from './config.ts';

const SECRET = 'a secret that is long enough, really';

describe('readServiceConfig', () => {
  const schema = Type.Object({ TOKEN_SECRET: secret(''), PORT: setting(1, '') });
  const given = { TOKEN_SECRET: 't'.repeat(32) };

  it('refuses keys that the service does not use, by name only', () => {
    for (const name of ['SIGNING_KEYS_FILE', 'TWO_FACTOR_KEY_FILE']) {
      const fault = { name: 'ConfigError', message: new RegExp(`^(?!.*canary).* ${name}:`, 's') };
      assert.throws(() => readServiceConfig(schema, { ...given, [name]: 'canary' }), fault);
    }
  });

  it('accepts used keys, other settings, and empty values', () => {
    const environment = { ...given, MAIL_KEY: '', SSO_PROVIDERS: '[]' };
    assert.deepEqual(readServiceConfig(schema, environment), { ...given, PORT: 1 });
  });
});

describe('readConfig', () => {
  const folder = testFolder();

  const file = (text: string): string => {
    const path = join(folder, 'setting');
    writeFileSync(path, text);
    return path;
  };

  it('parses values by the schema and applies defaults', () => {
    const schema = Type.Object({
      PORT: setting(8081, 'the port'),
      SINGLE_SESSION: setting(true, 'one session an account'),
      HOST: setting('127.0.0.1', 'the address'),
      ISSUER: Type.String(),
      SMTP_URL: optionalSecret('the mail server'),
    });
    const given = { PORT: '9000', SINGLE_SESSION: 'false', ISSUER: 'x', HOST: '', OTHER: 'y' };
    const config = readConfig(schema, given);
    assert.deepEqual(config, { PORT: 9000, SINGLE_SESSION: false, HOST: '127.0.0.1', ISSUER: 'x' });
  });

  it('reports all errors at once', () => {
    const [PORT, LIMIT, DEBUG] = [setting(1, ''), setting(1, ''), setting(false, '')];
    const schema = Type.Object({ PORT, LIMIT, DEBUG, ISSUER: Type.String(), TOKEN_SECRET: secret('') });
    const environment = { PORT: 'eighty', LIMIT: '-1', DEBUG: 'perhaps', TOKEN_SECRET: 'short' };
    const lines = faultsOf(schema, environment);
    assert.equal(lines[0], 'Invalid configuration, 5 error(s):');
    const names = lines.slice(1).map((line) => line.trim().split(' ')[0]);
    assert.deepEqual(names, ['ISSUER', 'PORT', 'LIMIT', 'DEBUG', 'TOKEN_SECRET']);
  });

  it('never repeats a value, as it may be a secret', () => {
    const schema = Type.Object({
      A: secret(''),
      B: Type.String({ pattern: /^[a-z]$/.source }),
      C: Type.Number(),
      D: Type.Unsafe<string>({ type: 'string', enum: ['x'] }),
      E: Type.String({ format: 'uri' }),
    });
    const value = 'hush-hush';
    const text = faultsOf(schema, { A: value, B: value, C: value, D: value, E: value }).join('\n');
    assert.ok(text.includes('5 error(s)'), text);
    assert.ok(!text.includes(value), text);
  });

  it('takes a setting from the file that NAME_FILE names, without the line break at its end', () => {
    const schema = Type.Object({ TOKEN_SECRET: secret(''), PORT: setting(1, '') });
    const config = readConfig(schema, { TOKEN_SECRET_FILE: file(`${SECRET}\n`), PORT: '2' });
    assert.deepEqual(config, { TOKEN_SECRET: SECRET, PORT: 2 });
  });

  it('treats an empty file as a missing setting', () => {
    const schema = Type.Object({ PORT: setting(7, '') });
    assert.deepEqual(readConfig(schema, { PORT_FILE: file('\n') }), { PORT: 7 });
  });

  it('refuses a file that cannot be read, by the name of its setting', () => {
    const schema = Type.Object({ TOKEN_SECRET: Type.Optional(secret('')) });
    const [, fault] = faultsOf(schema, { TOKEN_SECRET_FILE: join(folder, 'nowhere') });
    assert.equal(fault, '  TOKEN_SECRET_FILE cannot be read (ENOENT)');
  });

  it('refuses a setting given both directly and as a file', () => {
    const schema = Type.Object({ TOKEN_SECRET: secret('') });
    const [, ...faults] = faultsOf(schema, { TOKEN_SECRET: SECRET, TOKEN_SECRET_FILE: file(SECRET) });
    assert.deepEqual(faults, ['  TOKEN_SECRET and TOKEN_SECRET_FILE are both set: keep one']);
  });

  it('does not read NAME_FILE if that is itself a setting', () => {
    const path = file('{}');
    const schema = Type.Object({ SIGNING_KEYS: optionalSecret(''), SIGNING_KEYS_FILE: setting('', '') });
    assert.deepEqual(readConfig(schema, { SIGNING_KEYS_FILE: path }), { SIGNING_KEYS_FILE: path });
  });
});

function faultsOf(schema: TObject, environment: Record<string, string>): string[] {
  try {
    readConfig(schema, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
  return assert.fail('the configuration was accepted');
}
