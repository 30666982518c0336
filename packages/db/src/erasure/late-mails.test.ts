import assert from 'node:assert/strict';
import { randomUUID as newId } from 'node:crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { inTransaction, query, type Transaction } from '../postgres/connect.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';
import { eraseLateMails } from './erasures.ts';

const ERASURES = 10_000;

/** How many rows of all tables this connection has read. */
async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await query<{ n: number }>(
    tx,
    `select cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as integer) as n
     from pg_stat_xact_user_tables`,
  );
  return row?.n ?? 0;
}

describe('late mails to erased accounts', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await testDatabase()));
  afterEach(() => database.drop());

  const sql = (text: string, values: readonly (string | number)[] = []) => query(database.db, text, values);
  const erase = async (): Promise<string> => {
    const id = newId();
    await sql('insert into account (id, email, email_key) values (?, ?, ?)', [id, id, id]);
    await sql(
      `insert into erasure (id, account_id, asked_by_kind, erases_at) values (gen_random_uuid(), ?, 'System', now())`,
      [id],
    );
    await sql('update erasure set erased_at = now() where account_id = ?', [id]);
    return id;
  };
  const recordMail = (id: string, kind = 'password-changed') =>
    sql(
      `insert into mail_delivery (id, kind, account_id, email, event) values (gen_random_uuid(), ?, ?, 'late@example.com', '{}')`,
      [kind, id],
    );
  const mailsOf = async (id: string): Promise<number> =>
    (await sql('select id from mail_delivery where account_id = ?', [id])).length;
  /** Erases late mails; returns how many rows of all tables were read for it. */
  const forget = (): Promise<number> =>
    inTransaction(database.db, NO_DEADLINE, async (tx) => {
      const before = await rowsRead(tx);
      await eraseLateMails(tx);
      return (await rowsRead(tx)) - before;
    });
  const settle = () => sql(`update late_mail_check set erased_at = erased_at - interval '3 minutes'`);

  it('are removed at once, and a last time when nothing can follow', async () => {
    const id = await erase();
    await recordMail(id);
    await recordMail(id, 'account-erased');
    await forget();
    assert.equal(await mailsOf(id), 1);
    await recordMail(id);
    await settle();
    await forget();
    assert.equal(await mailsOf(id), 1);
    assert.deepEqual(await sql('select * from late_mail_check'), []);
  });

  it('cost nothing for accounts that were erased earlier, however many', async () => {
    await inTransaction(database.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'set local session_replication_role = replica');
      await query(
        tx,
        `insert into erasure (id, account_id, asked_by_kind, erases_at, erased_at)
         select gen_random_uuid(), gen_random_uuid(), 'System', now(), now() from generate_series(1, ?)`,
        [ERASURES],
      );
      await query(
        tx,
        `insert into mail_delivery (id, kind, account_id, email, event)
         select gen_random_uuid(), 'password-changed', gen_random_uuid(), 'a@example.com', '{}'
         from generate_series(1, ?)`,
        [ERASURES],
      );
    });
    await sql('analyze');
    const id = await erase();
    await recordMail(id);
    const read = await forget();
    assert.ok(read < 20, `${read} rows`);
    assert.equal(await mailsOf(id), 0);
  });

  it('are looked for among thousands of accounts at a time after an outage', async () => {
    await sql(
      `insert into late_mail_check (account_id, erased_at)
       select gen_random_uuid(), now() - interval '1 hour' from generate_series(1, 8000)`,
    );
    const read = await forget();
    assert.ok(read < 20_000, `${read} rows`);
    assert.equal((await sql('select * from late_mail_check')).length, 3000);
  });
});
