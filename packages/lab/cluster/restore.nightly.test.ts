import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { during, eventually } from '@gatehouse/runtime/testing';
import { findBinaries } from '@gatehouse/dev';
import { readPage } from '../../e2e/src/documents/documents.ts';
import { callAt, PASSWORD, startWorld, type TokenSet, type World } from '../../e2e/src/testing/index.ts';
import { withRedis } from '../database.ts';
import { runTool } from '../run-tool.ts';

const PROCESSES = ['core', 'portal', 'admin', 'mail-worker'];

describe('docs/operations.md, "Backup and restore"', function () {
  this.timeout(120_000);
  const world = during(() => startWorld());
  /** Arguments of `env` with which Postgres's own commands reach the server. */
  let settings: string[];
  let database: string;
  before(() => {
    const url = new URL(world.stack.facts.databaseUrl);
    database = url.pathname.slice(1);
    settings = [
      `PGHOST=${url.hostname}`,
      `PGPORT=${url.port}`,
      `PGUSER=${decodeURIComponent(url.username)}`,
      `PGPASSWORD=${decodeURIComponent(url.password)}`,
    ];
  });

  /** Runs shell commands of the page, with the name of this database instead of the page's. */
  const runShell = (text: string) => {
    const commands = text.replaceAll(/\bgatehouse\b(?!\.dump)/g, database);
    const shell = ['sh', '-ec', `PATH=${findBinaries().postgres}:$PATH; ${commands}`];
    return promisify(execFile)('env', [...settings, ...shell], { cwd: world.directory });
  };

  const restore = async (): Promise<void> => {
    for (const name of PROCESSES) await world.stack.hold(name);
    await runShell(block('sh'));
    await runTool(['migrate'], { DATABASE_URL: world.stack.facts.databaseUrl });
    await runShell(`psql -q -v ON_ERROR_STOP=1 -d gatehouse <<'END'\n${block('sql')}END\n`);
    await withRedis(world.stack.facts.redisUrl, (redis) => redis.flushdb());
    for (const name of PROCESSES) await world.stack.release(name);
  };

  it('restores accounts, sessions and tokens of the backup, and nothing later', async () => {
    const [kept, renewed] = [await world.newAccount(), await world.newAccount()];
    const before = { kept: await world.login(kept), renewed: await world.login(renewed) };
    const disabled = await world.newAccount();
    const { Token: revoked } = await world.login(disabled);
    await runShell('pg_dump -Fc -f gatehouse.dump gatehouse');
    const forgotten = await world.newAccount();
    const next = await refresh(world, before.renewed);
    const unknown = await refresh(world, next);
    await world.post('/account/logout', {}, revoked);
    assert.equal((await world.post('/account/ping', {}, revoked)).status, 401);

    await restore();

    assert.equal(await world.pingStatus(before.kept.Token), 1);
    assert.equal(
      (await world.post('/account/ping', {}, (await refresh(world, before.kept)).Token)).status,
      200,
    );
    assert.ok((await world.login(kept)).Token);
    const gone = await world.post('/account/login', { Username: forgotten, Password: PASSWORD });
    assert.equal(gone.status, 404);
    assert.equal(await world.pingStatus(revoked), 1, 'what was revoked since then is not');
    const thief = await world.post('/account/refresh-token', { RefreshToken: unknown.RefreshToken });
    assert.deepEqual([thief.status, thief.body['code']], [401, 'session_deactivated']);
  });

  it('works after the restore: registrations, mails, and the session feed from its start', async () => {
    const email = await world.newAccount();
    const { Token } = await world.login(email);
    const { admin, adminUrl } = world.stack.facts;
    const { Token: token } = await world.login(admin.Email, admin.Password);
    await world.post('/account/logout', {}, Token);
    await eventually(async () => {
      const { body } = await callAt(adminUrl, 'GET', '/admin/session-event?limit=200', { token });
      return (body['Items'] as unknown[]).length >= 6;
    }, 20);
  });
});

async function refresh(world: World, { RefreshToken }: TokenSet): Promise<TokenSet> {
  const { status, body, text } = await world.post('/account/refresh-token', { RefreshToken });
  assert.equal(status, 200, text);
  return body as unknown as TokenSet;
}

/** The commands in the section of the page, without indentation. */
function block(language: 'sh' | 'sql'): string {
  const [, section = ''] = readPage(join('docs', 'operations.md')).split('\nTo restore:\n');
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section)?.[1];
  assert.ok(text, language);
  return text;
}
