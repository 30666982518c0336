import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { queryOf, type AccountFilter } from './account-search.ts';
import { query } from '../postgres/connect.ts';
import { findNewestMatches } from '../search/list.ts';
import { during, insertRow, testDatabase } from '../testing/index.ts';
import { findHighestCosts } from './accounts.ts';

describe('the search for accounts', () => {
  const database = during(testDatabase);
  before(async () => {
    // `old` occurs only in the oldest third, `rare` three times, `even` everywhere.
    await query(
      database.db,
      `insert into account (id, email, email_key, role)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, email, email,
         case when n % 10 = 0 then 'Admin' else 'User' end
       from (
         select n, case when n <= 100 then 'old' else 'new' end || case when n % 2 = 0 then '.even' else '.odd' end
           || case when n in (7, 150, 299) then '.rare' else '' end || n || '@x.example' as email
         from generate_series(1, 300) n
       ) made`,
    );
  });

  /** All pages, one after another, and the result of a plain query of all accounts. */
  const all = async (filter: AccountFilter, bounds: Parameters<typeof findNewestMatches>[3]) => {
    const found: string[] = [];
    let beforeId: string | undefined;
    for (let page = 0; page < 1000; page += 1) {
      const place = { beforeId, max: 8 };
      const { ids, nextBeforeId } = await findNewestMatches(database.db, queryOf(filter), place, bounds);
      // Like lists do: fetching one more than is shown tells whether there are more.
      const shown = ids.slice(0, 7);
      found.push(...shown);
      beforeId = ids.length > 7 ? shown.at(-1) : nextBeforeId;
      if (beforeId === undefined) return found;
    }
    throw new Error('the pages have no end');
  };
  const plain = async ({ search = '', role }: AccountFilter) => {
    const sql = `select id from account where strpos(email, ?) > 0 and role = coalesce(?, role) order by id desc`;
    return query.column<string>(database.db, sql, [search, role ?? null]);
  };

  for (const bounds of [
    undefined,
    { near: 10, far: 20, rare: 5 },
    { near: 3, far: 7, rare: 0 },
    { near: 50, far: 30, rare: 1000 },
  ])
    it(`finds each match once, in order, within ${JSON.stringify(bounds ?? 'its bounds')}`, async () => {
      for (const filter of [
        { search: 'old' },
        { search: 'old.even' },
        { search: '.rare' },
        { search: '.ra' },
        { search: 'example' },
        { search: 'nobody' },
        { search: 'old', role: 'Admin' },
        { search: '.rare', role: 'Admin' },
        { role: 'Admin' },
        {},
      ] as const)
        assert.deepEqual(await all(filter, bounds), await plain(filter), JSON.stringify(filter));
    });

  it('stops at its limits and returns where to continue', async () => {
    const page = { beforeId: undefined, max: 8 };
    const bounds = { near: 10, far: 20, rare: 5 };
    const found = await findNewestMatches(database.db, queryOf({ search: 'old' }), page, bounds);
    assert.deepEqual([found.ids, found.nextBeforeId], [[], '00000000-0000-7000-8000-000000000271']);
  });

  it('finds names regardless of case, accents and how they are composed', async () => {
    const named = async (name: string, at: number): Promise<string> => {
      const id = `00000000-0000-7000-9000-${String(at).padStart(12, '0')}`;
      const email = `name${at}@x.example`;
      const account = { id, email, emailKey: email, role: 'User', displayName: name };
      await insertRow(database.db, 'account', account);
      return id;
    };
    for (const [at, [name, ...searches]] of [
      ['MÜLLER zaa', 'müller z', 'Muller z', 'mu\u0308ller z'],
      ['Cafe\u0301 zab', 'café', 'CAFE', 'cafe\u0301'],
      ['Straße zac', 'straße', 'strasse', 'STRASSE'],
      ['İstanbul zad', 'istanbul', 'İSTANBUL', 'ıstanbul'],
      ['ΟΔΟΣ zae', 'οδος', 'οδοσ', 'Οδός'],
      ['Łukasz Sørensen zaf', 'lukasz sorensen', 'ŁUKASZ SØRENSEN'],
      ['山田太郎', '山田', '山田太'],
      ['100\u200B% zah', '100%', '100％', '\u200B100%'],
    ].entries()) {
      const id = await named(name ?? '', at);
      for (const search of searches) assert.deepEqual(await all({ search }, undefined), [id], search);
    }
    assert.deepEqual(await all({ search: '％％' }, undefined), []);
  });
});

describe('the costs of stored hashes', () => {
  const database = during(testDatabase);

  const keep = (passwordHash: string) => {
    const id = randomUUID();
    const account = { id, email: id, emailKey: id, role: 'User', signup: 'complete', passwordHash };
    return insertRow(database.db, 'account', { ...account, passwordScheme: 'raw' });
  };
  const highest = (...bounds: number[]) => findHighestCosts(database.db, bounds);

  it('are queried by algorithm', async () => {
    assert.deepEqual(await highest(19, 99), []);
    for (const digits of ['09', '12', '10']) await keep(`$2b$${digits}$`.padEnd(60, 'a'));
    assert.deepEqual(await highest(19, 99), [12, 12]);
    for (const digits of ['21', '22']) await keep(`$gh$${digits}$pbkdf2-sha1,1,20$c2FsdA$`.padEnd(60, 'a'));
    assert.deepEqual(await highest(19, 99), [12, 22]);
    assert.deepEqual(await highest(19), [12]);
  });

  it('are read from valid hashes only', async () => {
    for (const text of ['$gh$1x$', '$gh$9/$', '$gh$99', '$gh$ 9$', '', '$gh$9'])
      await keep(text.padEnd(4, 'a'));
    assert.deepEqual(await highest(19, 98), [12, 22]);
  });
});
