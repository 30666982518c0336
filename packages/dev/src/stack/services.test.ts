import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { publicKeySetOf } from '@gatehouse/auth-core';
import { throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { testFolder } from '@gatehouse/runtime/testing';
import { planPorts } from './ports.ts';
import { deriveSecrets, openSecrets, SIGNING_KEYS } from './secrets.ts';
import { ignoredSettings, services } from './services.ts';

const folder = testFolder();

/** The environment of each service for this environment of the caller. */
function environments(settings: NodeJS.ProcessEnv): Record<string, NodeJS.ProcessEnv> {
  const url = 'x://127.0.0.1/';
  const connections = {
    ...{ redisUrl: url, amqpUrl: url, smtpUrl: url },
    databaseUrls: { core: url, portal: url, admin: url, 'mail-worker': url, 'hook-worker': url },
  };
  const standard = { ISSUER: url, SSO_PROVIDERS: '[]' };
  const secrets = openSecrets(folder);
  const given = { settings, secrets, connections, standard };
  const processes = services({ ...given, ports: planPorts(undefined), scale: 1 });
  return Object.fromEntries(processes.map(({ name, env }) => [name, env]));
}

describe('the settings that the launcher passes to a service', () => {
  const derived = (settings: NodeJS.ProcessEnv) => {
    const secrets = openSecrets(folder);
    writeFileSync(secrets.path(SIGNING_KEYS), throwAwayKeySet(), { mode: 0o600 });
    deriveSecrets(settings, secrets);
    return environments(settings);
  };
  const SECRETS = /SECRET|KEY|PEPPER|PASSWORD|SMTP_URL|REDIS_URL|PROVIDERS/;
  const secretsOf = (env: NodeJS.ProcessEnv = {}) => Object.keys(env).filter((name) => SECRETS.test(name));

  it('contain only the secrets that it uses', () => {
    const { core, portal, admin, 'mail-worker': worker } = derived({});
    const common = ['MAIL_PUBLIC_KEY_FILE', 'PASSWORD_PEPPER_FILE', 'REDIS_URL'];
    const issuing = ['SIGNING_KEYS_FILE', 'TOKEN_SECRET_FILE'];
    for (const [service, own] of [
      [core, [...common, ...issuing, 'ID_TOKEN_KEYS_FILE', 'TWO_FACTOR_KEY_FILE']],
      [portal, [...common, 'PORTAL_SECRET_FILE', 'VERIFICATION_KEYS_FILE']],
      [admin, [...common, ...issuing, 'HOOK_PUBLIC_KEY_FILE', 'SSO_PROVIDERS', 'TWO_FACTOR_KEY_FILE']],
      [worker, ['MAIL_KEY_FILE', 'SMTP_URL']],
    ] as const)
      assert.deepEqual(new Set(secretsOf(service)), new Set<string>(own));
    const { 'hook-worker': hooks } = derived({ WEBHOOKS: 'on' });
    assert.deepEqual(secretsOf(hooks), ['HOOK_KEY_FILE']);
  });

  it('start a hook worker only where it is asked for', () =>
    assert.equal(derived({})['hook-worker'], undefined));

  it('contain no private key for Portal, including the caller’s own keys', () => {
    const own = throwAwayKeySet();
    const secrets = { TOKEN_SECRET: 't'.repeat(32), MAIL_KEY: 'm'.repeat(32) };
    const settings = { ...secrets, SIGNING_KEYS: own, FIRST_ADMIN_PASSWORD: 'x' };
    const { portal } = derived(settings);
    const held = Object.entries(portal ?? {}).map(([name, value]) =>
      name.endsWith('_FILE') ? readFileSync(String(value), 'utf8') : String(value),
    );
    assert.equal(readFileSync(String(portal?.['VERIFICATION_KEYS_FILE']), 'utf8'), publicKeySetOf(own));
    for (const text of held) assert.doesNotMatch(text, /"d":|t{32}|m{32}/);
    assert.equal(portal?.['FIRST_ADMIN_PASSWORD'], undefined);
  });
});

describe('ignoredSettings', () => {
  const named = (lines: string[]): string[] => lines.map((line) => / (\w+) /.exec(line)?.[1] ?? '');

  it('lists exactly the settings that reach no service unchanged', () => {
    const names = [...new Set(Object.values(environments({})).flatMap((one) => Object.keys(one)))];
    const settings = Object.fromEntries(names.map((name) => [name, 'mine']));
    const replaced = names.filter((name) =>
      Object.values(environments(settings)).some((one) => one[name] !== undefined && one[name] !== 'mine'),
    );
    assert.deepEqual(named(ignoredSettings(settings)).toSorted(), replaced.toSorted());
  });

  it('lists files instead of values, and no empty or used settings', () => {
    const settings = { DATABASE_URL_FILE: '/run/database', REDIS_URL: '', ISSUER: 'https://a.example' };
    assert.deepEqual(named(ignoredSettings(settings)), ['DATABASE_URL_FILE']);
  });
});
