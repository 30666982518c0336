import assert from 'node:assert/strict';
import { connectDb, inTransaction, query, type Transaction } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import type { Route } from '@gatehouse/http';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { Deps } from '../deps.ts';
import { contentRoutes } from './content/content.ts';
import { invitationRoutes } from './invitation/invitation.ts';

const ROWS = 70_000;
const ID = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid";

interface Page {
  Items: unknown[];
  NextCursor?: string;
}

describe('a list with few or no matches', function () {
  this.timeout(60_000);
  let database: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    database = await testDatabase();
    // Changes of all rows take longer on a busy machine than a request may.
    const filling = connectDb({
      url: database.url,
      applicationName: 'test',
      poolMax: 1,
      hasLongTimeouts: true,
    });
    for (const sql of [
      `insert into account (id, email, email_key, role)
       select ${ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User' from numbers`,
      `insert into content_definition (id, name, kind)
       select ${ID}, case when n = 5 then 'Talk zquint' else 'Talk ' || n end, 'Document' from numbers`,
      `insert into invitation (id, account_id, content_definition_id, invited_email, token_hash, expires_at)
       select ${ID}, ${ID}, ${ID}, '', decode(lpad(to_hex(n), 64, '0'), 'hex'),
         now() + case when n = 5 then interval '1 day' else interval '-1 day' end from numbers`,
    ])
      await query(filling, `with numbers as (select n from generate_series(1, ${ROWS}) n) ${sql}`);
    await query(filling, 'vacuum analyze account, content_definition, invitation');
    await filling.destroy();
  });
  after(() => database.drop());

  /** The answer of a list, and how many rows of its table it reads. */
  const reading = (routes: readonly Route<Deps>[], table: string, filter: object) =>
    inTransaction(database.db, NO_DEADLINE, async (tx) => {
      const [list] = routes;
      // The count may include rows of earlier transactions, until the connection reports them.
      const before = await readOf(tx, table);
      // A list needs no more of a request than this.
      const input = { query: { limit: 50, ...filter }, deps: { db: tx } } as never;
      const found = (await list?.handler(input)) as unknown as Page;
      return { found, read: (await readOf(tx, table)) - before };
    });

  it('reads few of very many rows of content', async () => {
    for (const [search, count] of [
      ['zq', 1],
      ['qz', 0],
      ['zquint', 1],
      ['nobody', 0],
    ] as const) {
      const { found, read } = await reading(contentRoutes, 'content_definition', { search });
      assert.deepEqual([found.Items.length, found.NextCursor], [count, undefined], search);
      assert.ok(read < 5000, `${search}: ${read}`);
    }
  });

  it('stops if no index covers the text, and returns where to continue', async () => {
    const { found, read } = await reading(contentRoutes, 'content_definition', { search: '-/-' });
    assert.deepEqual([found.Items, typeof found.NextCursor], [[], 'string']);
    assert.ok(read < 55_000, String(read));
  });

  it('finds the few invitations that have not expired, without reading those that have', async () => {
    const { found, read } = await reading(invitationRoutes, 'invitation', { isExpired: false });
    assert.deepEqual([found.Items.length, found.NextCursor], [1, undefined]);
    assert.ok(read < 5000, String(read));
  });
});

async function readOf(tx: Transaction, table: string): Promise<number> {
  const [row] = await query<{ read: number }>(
    tx,
    `select cast(seq_tup_read + coalesce(idx_tup_fetch, 0) as integer) as read
     from pg_stat_xact_user_tables where relname = ?`,
    [table],
  );
  return row?.read ?? 0;
}
