import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicKeySetOf } from '@gatehouse/auth-core';
import { throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { planPorts } from '../servers/ports.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { deriveSecrets, SIGNING_KEYS } from './service-secrets.ts';
import { services } from './services.ts';

describe('the settings that the launcher passes to a service', () => {
  let folder: string;
  let secrets: Secrets;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'services-'));
    secrets = openSecrets(folder);
    writeFileSync(secrets.path(SIGNING_KEYS), throwAwayKeySet(), { mode: 0o600 });
  });
  after(() => rmSync(folder, { recursive: true }));

  const environments = (settings: NodeJS.ProcessEnv) => {
    deriveSecrets(settings, secrets);
    const url = 'x://127.0.0.1/';
    const addresses = {
      ...{
        baseUrl: url,
        pagesUrl: url,
        adminUrl: url,
        redisUrl: url,
        amqpUrl: url,
        smtpUrl: url,
        ssoProviders: '[]',
        ssoProviderNames: '',
        oauthClients: '',
        faceImageOrigins: '',
      },
      databaseUrls: { core: url, portal: url, admin: url, 'mail-worker': url, 'hook-worker': url },
    };
    const processes = services({ settings, secrets, addresses, ports: planPorts(undefined), scale: 1 });
    return Object.fromEntries(processes.map(({ name, env }) => [name, env ?? {}]));
  };
  const secretsOf = (env: NodeJS.ProcessEnv | undefined) =>
    Object.keys(env ?? {}).filter((name) =>
      /SECRET|KEY|PEPPER|PASSWORD|SMTP_URL|REDIS_URL|PROVIDERS/.test(name),
    );

  it('contain only the secrets that it uses', () => {
    const { core, portal, admin, 'mail-worker': worker } = environments({});
    const common = ['MAIL_PUBLIC_KEY_FILE', 'PASSWORD_PEPPER_FILE', 'REDIS_URL'];
    const issuing = ['SIGNING_KEYS_FILE', 'TOKEN_SECRET_FILE'];
    const sorted = (names: string[]) => names.toSorted();
    assert.deepEqual(
      sorted(secretsOf(core)),
      sorted([...common, ...issuing, 'ID_TOKEN_KEYS_FILE', 'TWO_FACTOR_KEY_FILE']),
    );
    assert.deepEqual(
      sorted(secretsOf(portal)),
      sorted([...common, 'PORTAL_SECRET_FILE', 'VERIFICATION_KEYS_FILE']),
    );
    assert.deepEqual(
      sorted(secretsOf(admin)),
      sorted([...common, ...issuing, 'HOOK_PUBLIC_KEY_FILE', 'SSO_PROVIDERS', 'TWO_FACTOR_KEY_FILE']),
    );
    assert.deepEqual(sorted(secretsOf(worker)), ['MAIL_KEY_FILE', 'SMTP_URL']);
    const { 'hook-worker': hooks } = environments({ WEBHOOKS: 'on' });
    assert.deepEqual(secretsOf(hooks), ['HOOK_KEY_FILE']);
  });

  it('start a hook worker only where it is asked for', () => {
    assert.equal(environments({})['hook-worker'], undefined);
  });

  it('contain no private key for Portal, including the caller’s own keys', () => {
    const own = throwAwayKeySet();
    const settings = {
      SIGNING_KEYS: own,
      TOKEN_SECRET: 't'.repeat(32),
      MAIL_KEY: 'm'.repeat(32),
      FIRST_ADMIN_PASSWORD: 'x',
    };
    const { portal } = environments(settings);
    const held = Object.entries(portal ?? {}).map(([name, value]) =>
      name.endsWith('_FILE') ? readFileSync(String(value), 'utf8') : String(value),
    );
    assert.equal(readFileSync(String(portal?.['VERIFICATION_KEYS_FILE']), 'utf8'), publicKeySetOf(own));
    for (const text of held) {
      assert.doesNotMatch(text, /"d":|t{32}|m{32}/);
    }
    assert.equal(portal?.['FIRST_ADMIN_PASSWORD'], undefined);
  });
});
