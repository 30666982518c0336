import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoredSettings } from './ignored-settings.ts';
import { planPorts } from '../servers/ports.ts';
import { openSecrets } from './secrets.ts';
import { services } from './services.ts';

describe('ignoredSettings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ignored-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The environments of all services for this environment of the caller. */
  const environments = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv[] => {
    const url = 'http://127.0.0.1:1';
    const databaseUrls = { core: url, portal: url, admin: url, 'mail-worker': url, 'hook-worker': url };
    const servers = { redisUrl: url, amqpUrl: url, smtpUrl: url, databaseUrls };
    const addresses = {
      baseUrl: url,
      pagesUrl: url,
      adminUrl: url,
      ssoProviders: '[]',
      ssoProviderNames: '',
      oauthClients: '',
      faceImageOrigins: '',
      ...servers,
    };
    const secrets = openSecrets(folder);
    return services({ settings, secrets, ports: planPorts(undefined), addresses, scale: 1 }).map(
      ({ env }) => env,
    );
  };
  const named = (lines: string[]): string[] => lines.map((line) => / (\w+) /.exec(line)?.[1] ?? '');

  it('lists exactly the settings that reach no service unchanged', () => {
    const names = [...new Set(environments({}).flatMap((one) => Object.keys(one)))];
    const settings = Object.fromEntries(names.map((name) => [name, 'mine']));
    const replaced = names.filter((name) =>
      environments(settings).some((one) => one[name] !== undefined && one[name] !== 'mine'),
    );
    assert.deepEqual(named(ignoredSettings(settings)).toSorted(), replaced.toSorted());
  });

  it('lists files instead of values, and no empty or used settings', () => {
    const settings = { DATABASE_URL_FILE: '/run/database', REDIS_URL: '', ISSUER: 'https://a.example' };
    assert.deepEqual(named(ignoredSettings(settings)), ['DATABASE_URL_FILE']);
  });
});
