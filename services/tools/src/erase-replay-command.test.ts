import assert from 'node:assert/strict';
import { randomUUID as newId } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { accounts, erasures, inTransaction, query } from '@gatehouse/db';
import { during, testDatabase } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { useFolder } from '@gatehouse/runtime/testing';
import { eraseReplayCommand } from './erase-replay-command.ts';

type Database = Awaited<ReturnType<typeof testDatabase>>;

describe('erase:replay', () => {
  const live = during(testDatabase);
  const restored = during(testDatabase);
  const pathOf = useFolder();

  const PERSON = {
    ...({ locale: 'en', role: 'User', signup: 'complete', isEmailVerified: true } as const),
    ...{ displayName: undefined, passwordHash: undefined },
  };
  const addAccount = async ({ db }: Database, id: string) => {
    const email = `${id}@example.com`;
    const account = { ...PERSON, id, email, emailKey: email };
    await inTransaction(db, NO_DEADLINE, (tx) => accounts.insert(tx, account));
  };
  const ask = ({ db }: Database, accountId: string, days: number) => {
    const order = { accountId, askedBy: { kind: 'System' }, days, restoreHash: undefined } as const;
    return inTransaction(db, NO_DEADLINE, (tx) => erasures.insert(tx, order));
  };
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
    const statement = 'select * from erasure where account_id = any(?::uuid[])';
    const copied = await query(live.db, statement, [[pending, kept]]);
    for (const row of copied as { id: string; account_id: string; erases_at: Date }[])
      await query(
        restored.db,
        `insert into erasure (id, account_id, asked_by_kind, erases_at) values (?, ?, 'System', ?)`,
        [row.id, row.account_id, row.erases_at],
      );
    await query(live.db, 'update erasure set erases_at = now() where account_id = ?', [pending]);
    await forget(live, pending);
    await inTransaction(live.db, NO_DEADLINE, (tx) => erasures.cancel(tx, kept));

    const file = pathOf('erasures.ndjson');
    assert.equal(await run(live, '--save', file), `✓ 3 erasures are in ${file}.\n`);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /example\.com/);
    assert.match(await run(restored, file), /3 erasures were read, and 3 had to be repeated/);
    const ids = (condition: string) =>
      query.column<string>(restored.db, `select id from account where ${condition} order by id`);
    assert.deepEqual(await ids('is_disabled'), [erased, pending].toSorted());
    const shown = (await erasures.findDue(restored.db, { max: 10, exceptIds: [] })).toSorted();
    assert.deepEqual(shown, [erased, pending].toSorted());
    for (const id of [erased, pending]) assert.ok(await forget(restored, id));
    assert.match(await run(restored, file), /and 0 had to be repeated/);
    assert.deepEqual(await ids('true'), [kept, other].toSorted());
  });

  it('does nothing with a damaged or truncated file', async () => {
    const file = pathOf('damaged.ndjson');
    const id = newId();
    await addAccount(restored, id);
    const ErasedAt = new Date().toISOString();
    const good = JSON.stringify({ Id: newId(), UserId: id, ErasedAt, RestoredAt: null });
    writeFileSync(file, `${good}\n{"Id":\n{"Count":2}\n`);
    await assert.rejects(run(restored, file), /line 2 is not an erasure/);
    for (const cut of [`${good}\n`, `${good}\n${good}\n{"Count":1}\n`, `${good}\n{"Cou`, '']) {
      writeFileSync(file, cut);
      await assert.rejects(run(restored, file), /how many erasures/, cut);
    }
    assert.equal(await query.value(restored.db, 'select is_disabled from account where id = ?', [id]), false);
  });

  it('keeps the existing list until the new one is complete', async () => {
    const file = pathOf('kept.ndjson');
    writeFileSync(file, 'the only one');
    const reader = openSync(file, 'r');
    await run(live, '--save', file);
    // A process that has the old file open can still read it: the file was replaced, not overwritten.
    assert.equal(readFileSync(reader, 'utf8'), 'the only one');
    closeSync(reader);
    assert.match(readFileSync(file, 'utf8'), /"Count":\d+}\n$/);
    const shown = readdirSync(pathOf()).filter((name) => name.includes('unfinished'));
    assert.deepEqual(shown, []);
  });
});
