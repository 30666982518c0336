import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments, type ProgramName } from '@gatehouse/build';
import { connectDb, query } from '@gatehouse/db';
import { during, eventually, testFolder } from '@gatehouse/runtime/testing';
import { startWorld } from '../../e2e/src/testing/index.ts';
import { runTool } from '../run-tool.ts';
import { everyInstanceIsReady, usersOf } from './background-users.ts';

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
  const world = during(() => startWorld({ DRAIN_SECONDS: '1' }, { scale: 3 }));
  const users = usersOf(() => world);
  const next = nextRelease(MIGRATION);

  const instance = (service: string, number: number): string =>
    number === 1 ? service : `${service}-${number}`;

  it('are upgraded one by one, after the migration, without failed requests', async () => {
    const { databaseUrl } = world.stack.facts;
    const dump = await beginDump(databaseUrl);
    const migration = runTool(['migrate'], { DATABASE_URL: databaseUrl }, next('tools'));
    const [output] = await Promise.all([migration, dump.ended]);
    assert.match(output, /9999_next_release.sql waits[^]*applied 9999_next_release.sql/);
    for (const number of [1, 2, 3]) {
      // One instance of each service at a time.
      await Promise.all(SERVICES.map((name) => world.stack.restart(instance(name, number), next(name))));
    }
    await everyInstanceIsReady(world);
    assert.deepEqual(users().takeFailures(), []);
    await users().lostNothing();
  });

  it('are downgraded on the newer schema without failed requests', async () => {
    for (const number of [1, 2])
      await world.stack.restart(instance('core', number), programArguments('core'));
    await everyInstanceIsReady(world);
    assert.deepEqual(users().takeFailures(), []);
    await users().lostNothing();
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

/** The next release, which has one more migration. Returns the arguments with which Node runs its programs. */
function nextRelease(sql: string): (name: ProgramName) => string[] {
  const folder = testFolder('gatehouse-next-release-');
  before(() => {
    for (const name of [...SERVICES, 'tools'] as const) {
      cpSync(join(programArguments(name).at(-1) ?? '', '..'), join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, 'migrations', '9999_next_release.sql'), sql);
    }
  });
  return (name) => ['--enable-source-maps', join(folder, name, 'main.mjs')];
}
