import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { programArguments, type ProgramName } from '@gatehouse/build';
import { connectDb, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startWorld, type World } from '../../e2e/src/testing/index.ts';
import { everyInstanceIsReady, startBackgroundUsers, type BackgroundUsers } from './background-users.ts';

/** A typical migration: tables that every request reads get a column and an index. */
const MIGRATION = `
  alter table account add column next_release text not null default 'new';
  alter table user_session add column next_release boolean;
  create index account_next_release on account (next_release);
`;
const SERVICES = ['core', 'portal', 'admin', 'mail-worker'] as const;
/** Longer than the lock timeout of a request. */
const DUMP_SECONDS = 6;

describe('three instances of each service under load', function () {
  this.timeout(150_000);
  let world: World;
  let next: NextRelease;
  let users: BackgroundUsers;
  before(async () => {
    world = await startWorld({ DRAIN_SECONDS: '1' }, { scale: 3 });
    next = nextRelease(MIGRATION);
  });
  after(async () => {
    next?.remove();
    await world?.stop();
  });
  beforeEach(async () => {
    users = await startBackgroundUsers(world);
  });
  afterEach(() => users.leave());

  const instance = (service: string, number: number): string =>
    number === 1 ? service : `${service}-${number}`;

  it('are upgraded one by one, after the migration, without failed requests', async () => {
    const dump = await beginDump(world.stack.facts.databaseUrl);
    const [output] = await Promise.all([next.migrate(world.stack.facts.databaseUrl), dump.ended]);
    assert.match(output, /9999_next_release.sql waits[^]*applied 9999_next_release.sql/);
    for (const number of [1, 2, 3]) {
      // One instance of each service at a time.
      await Promise.all(
        SERVICES.map((name) => world.stack.restart(instance(name, number), next.argumentsOf(name))),
      );
    }
    await everyInstanceIsReady(world);
    assert.deepEqual(users.takeFailures(), []);
    await users.stop();
  });

  it('are downgraded on the newer schema without failed requests', async () => {
    for (const number of [1, 2])
      await world.stack.restart(instance('core', number), programArguments('core'));
    await everyInstanceIsReady(world);
    assert.deepEqual(users.takeFailures(), []);
    await users.stop();
  });
});

/** Reads a table in one transaction, as pg_dump does, until some time after the migration has begun to wait for it. */
async function beginDump(databaseUrl: string): Promise<{ ended: Promise<void> }> {
  const db = connectDb({ url: databaseUrl, applicationName: 'dump', poolMax: 1, hasLongTimeouts: true });
  const tx = await db.transaction();
  await query(tx, 'select count(*) from account');
  const waiting = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted`;
  const end = async (): Promise<void> => {
    try {
      await eventually(async () => (await query(tx, waiting)).length > 0, 30);
      await query(tx, 'select pg_sleep(?)', [DUMP_SECONDS]);
      await tx.commit();
    } finally {
      await db.destroy();
    }
  };
  return { ended: end() };
}

/** The next release, which has one more migration. */
interface NextRelease {
  argumentsOf(name: ProgramName): string[];
  migrate(databaseUrl: string): Promise<string>;
  remove(): void;
}

const PROGRAMS = ['core', 'portal', 'admin', 'mail-worker', 'tools'] as const;

/** Copies the build and adds a migration with `sql`. */
function nextRelease(sql: string): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-next-release-'));
  const argumentsOf = (name: ProgramName): string[] =>
    programArguments(name).map((argument) => moved(argument, name, folder));
  for (const name of PROGRAMS) {
    const file = programArguments(name).at(-1) ?? '';
    cpSync(join(file, '..'), join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migrations', '9999_next_release.sql'), sql);
  }
  return {
    argumentsOf,
    migrate: async (databaseUrl) => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [...argumentsOf('tools'), 'migrate'],
        { env: { DATABASE_URL: databaseUrl }, timeout: 60_000 },
      );
      return stderr + stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Maps the path of `…/dist/core/main.mjs` to the other folder. */
function moved(argument: string, name: string, folder: string): string {
  const end = `${sep}${join(name, 'main.mjs')}`;
  return argument.endsWith(end) ? join(folder, name, 'main.mjs') : argument;
}
