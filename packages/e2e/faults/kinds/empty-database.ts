import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '@gatehouse/build';
import { connectDb, query, type Db } from '@gatehouse/db';
import { startService } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import type { FaultWorld } from '../fault-world.ts';
import { runOnPostgres } from '../servers.ts';
import type { Stage } from '../run-fault.ts';

const AT_ONCE = 5;
const READY_SECONDS = 10;
const ADMIN = { email: 'first@example.com', password: 'the first of all passwords' };

type Service = Awaited<ReturnType<typeof startService>>;

/** Like an orchestrator without an order: starts everything at once, when nothing exists yet. */
export function startsOnAnEmptyDatabase(given: () => Stage): void {
  it('five concurrent instances with five migrations create one installation in an empty database', async () => {
    const { world, report } = given();
    await runOnPostgres(world, 'create database five owner gatehouse');
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-five-'));
    const owner = connectDb({
      url: urlAs(world),
      applicationName: 'five',
      poolMax: 1,
      hasLongTimeouts: true,
    });
    const started: Service[] = [];
    try {
      const keys = join(folder, 'keys.json');
      await makesOneKeySet(keys);

      const instance = async (service: 'core' | 'admin'): Promise<Service> => {
        const running = await startService(service, {
          ...settingsOf(world, service),
          SIGNING_KEYS: '',
          SIGNING_KEYS_FILE: keys,
        });
        started.push(running);
        return running;
      };
      const starts = Array.from({ length: AT_ONCE }, () => instance('admin'));
      const core = instance('core');
      const applied = await Promise.all(Array.from({ length: AT_ONCE }, () => migrateOnce(world)));
      const migratedAt = performance.now();
      const outcomes = await Promise.allSettled([core, ...starts]);
      assert.deepEqual(
        outcomes.filter(({ status }) => status === 'rejected'),
        [],
      );

      for (const { internal } of started) {
        const isReady = async () => (await internal.get('/health/ready')).status === 200;
        await eventually(isReady, READY_SECONDS);
      }
      await isOneInstallation({ owner, applied, core: await core, admins: await Promise.all(starts) });
      const tookMs = Math.round(performance.now() - migratedAt);
      report.say(
        `five Admins and a Core on an empty database: one installation ${tookMs} ms after its tables`,
      );
    } finally {
      await Promise.all(started.map((service) => service.stop()));
      await owner.destroy();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Each migration was applied once, there is one administrator, and every instance accepts a new session. */
async function isOneInstallation(made: {
  owner: Db;
  applied: string[][];
  core: Service;
  admins: Service[];
}): Promise<void> {
  const { owner, applied, core, admins } = made;
  const names = await query<{ name: string }>(owner, 'select name from migration order by name');
  assert.deepEqual(
    applied.flat().toSorted(),
    names.map(({ name }) => name),
  );
  assert.equal(names[0]?.name, '0000_baseline');

  const Token = await eventually(async () => {
    const login = { Username: ADMIN.email, Password: ADMIN.password };
    const answer = await core.http.post('/account/login').send(login);
    return answer.status === 200 && String((answer.body as { Token: unknown }).Token); // a response with tokens
  }, READY_SECONDS);
  for (const admin of admins) {
    const { status, text } = await admin.http.get('/admin/account').set('authorization', `Bearer ${Token}`);
    assert.equal(status, 200, text);
  }
  const accounts = await query(owner, 'select email from account');
  assert.deepEqual(accounts, [{ email: ADMIN.email }]);
  const creations = await query(owner, `select from audit where action = 'account.created'`);
  assert.equal(creations.length, 1);
}

/** If several processes create the key set at once, the first one's set remains. */
async function makesOneKeySet(file: string): Promise<void> {
  const make = (): Promise<Ended> => runTool(['keys', 'create', file]);
  const makers = await Promise.all(Array.from({ length: AT_ONCE }, make));
  assert.equal(makers.filter(({ failed }) => !failed).length, 1, JSON.stringify(makers));
}

/** The names of the migrations that this run applied. */
async function migrateOnce(world: FaultWorld): Promise<string[]> {
  const { failed, output } = await runTool(['migrate'], {
    DATABASE_URL: urlAs(world),
  });
  assert.ok(!failed, output);
  const [, names = ''] = /^applied (.*)$/m.exec(output) ?? [];
  return names.split(', ').filter(Boolean);
}

function settingsOf(world: FaultWorld, service: 'core' | 'admin') {
  const { redisUrl, amqpUrl } = world.stack.facts;
  return {
    DATABASE_URL: urlAs(world, service),
    REDIS_URL: new URL('/5', redisUrl).href,
    AMQP_URL: amqpUrl,
    ...(service === 'admin' && { FIRST_ADMIN_EMAIL: ADMIN.email, FIRST_ADMIN_PASSWORD: ADMIN.password }),
  };
}

/** The URL of the empty database, for its owner or for the role of a service. */
function urlAs(world: FaultWorld, service?: 'core' | 'admin'): string {
  const url = new URL(world.stack.facts.databaseUrl);
  url.pathname = '/five';
  if (service === undefined) return url.href;
  url.username = `gatehouse_${service}`;
  url.password = readFileSync(join(world.directory, 'secrets', `postgres-${service}`), 'utf8').trim();
  return url.href;
}

interface Ended {
  failed: boolean;
  output: string;
}

function runTool(args: string[], settings: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const script = [...programArguments('tools'), ...args];
    execFile(process.execPath, script, { env: settings, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
  });
}
