import assert from 'node:assert/strict';
import { randomUUID as newId } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts, erasures, inTransaction, query } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eraseReplayCommand } from './erase-replay-command.ts';

type Database = Awaited<ReturnType<typeof testDatabase>>;

describe('erase:replay', () => {
  let live: Database;
  let restored: Database;
  let folder: string;
  before(async () => {
    [live, restored] = await Promise.all([testDatabase(), testDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'erase-replay-'));
  });
  after(async () => {
    await Promise.all([live.drop(), restored.drop()]);
    rmSync(folder, { recursive: true });
  });

  const addAccount = async ({ db }: Database, id: string) =>
    inTransaction(db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, {
        id,
        email: `${id}@example.com`,
        emailKey: `${id}@example.com`,
        displayName: undefined,
        locale: 'en',
        role: 'User',
        signup: 'complete',
        passwordHash: undefined,
        isEmailVerified: true,
      }),
    );
  const ask = ({ db }: Database, accountId: string, days: number) =>
    inTransaction(db, NO_DEADLINE, (tx) =>
      erasures.insert(tx, {
        accountId,
        askedBy: { kind: 'System' },
        after: { days },
        restoreHash: undefined,
      }),
    );
  const forget = ({ db }: Database, id: string) =>
    inTransaction(db, NO_DEADLINE, (tx) => erasures.erase(tx, id));
  const run = (database: Database, ...args: string[]) =>
    eraseReplayCommand(args, { DATABASE_URL: database.url });

  it('erases accounts restored by a backup again, except for cancelled erasures', async () => {
    const [erased, pending, kept, other] = [newId(), newId(), newId(), newId()];
    for (const id of [erased, pending, kept, other]) {
      await addAccount(live, id);
      await addAccount(restored, id);
    }
    await ask(live, erased, 0);
    await forget(live, erased);
    // In the backup, both erasures are still pending.
    await ask(live, pending, 14);
    await ask(live, kept, 14);
    const copied = await query(live.db, 'select * from erasure where account_id = any(?::uuid[])', [
      [pending, kept],
    ]);
    for (const row of copied as { id: string; account_id: string; erases_at: Date }[])
      await query(
        restored.db,
        `insert into erasure (id, account_id, asked_by_kind, erases_at) values (?, ?, 'System', ?)`,
        [row.id, row.account_id, row.erases_at],
      );
    await query(live.db, 'update erasure set erases_at = now() where account_id = ?', [pending]);
    await forget(live, pending);
    await inTransaction(live.db, NO_DEADLINE, (tx) => erasures.cancel(tx, kept));

    const file = join(folder, 'erasures.ndjson');
    assert.equal(await run(live, '--save', file), `✓ 3 erasures are in ${file}.\n`);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /example\.com/);
    assert.match(await run(restored, file), /3 erasures were read, and 3 had to be repeated/);
    const disabled = await query<{ id: string }>(
      restored.db,
      'select id from account where is_disabled order by id',
    );
    assert.deepEqual(
      disabled.map(({ id }) => id),
      [erased, pending].toSorted(),
    );
    assert.deepEqual(
      (await erasures.findDue(restored.db, { max: 10, exceptIds: [] })).toSorted(),
      [erased, pending].toSorted(),
    );
    for (const id of [erased, pending]) assert.ok(await forget(restored, id));
    assert.match(await run(restored, file), /and 0 had to be repeated/);
    const left = await query<{ id: string }>(restored.db, 'select id from account order by id');
    assert.deepEqual(
      left.map(({ id }) => id),
      [kept, other].toSorted(),
    );
  });

  it('does nothing with a damaged or truncated file', async () => {
    const file = join(folder, 'damaged.ndjson');
    const id = newId();
    await addAccount(restored, id);
    const good = JSON.stringify({
      Id: newId(),
      UserId: id,
      ErasedAt: new Date().toISOString(),
      RestoredAt: null,
    });
    writeFileSync(file, `${good}\n{"Id":\n{"Count":2}\n`);
    await assert.rejects(run(restored, file), /line 2 is not an erasure/);
    for (const cut of [`${good}\n`, `${good}\n${good}\n{"Count":1}\n`, `${good}\n{"Cou`, ''])
      await assert.rejects(
        async () => {
          writeFileSync(file, cut);
          await run(restored, file);
        },
        /how many erasures/,
        cut,
      );
    const [row] = await query<{ is: boolean }>(
      restored.db,
      'select is_disabled as is from account where id = ?',
      [id],
    );
    assert.equal(row?.is, false);
  });

  it('keeps the existing list until the new one is complete', async () => {
    const file = join(folder, 'kept.ndjson');
    writeFileSync(file, 'the only one');
    const reader = openSync(file, 'r');
    await run(live, '--save', file);
    // A process that has the old file open can still read it: the file was replaced, not overwritten.
    assert.equal(readFileSync(reader, 'utf8'), 'the only one');
    closeSync(reader);
    assert.match(readFileSync(file, 'utf8'), /"Count":\d+}\n$/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('unfinished')),
      [],
    );
  });
});
