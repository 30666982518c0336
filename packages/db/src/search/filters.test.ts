import assert from 'node:assert/strict';
import { conditionsOf, contains, ordered, since, until } from './filters.ts';
import * as accountSearch from '../account/account-search.ts';
import type { Transaction } from '../postgres/connect.ts';
import { during, fillTables, NUMBERED_ID, reading, testDatabase } from '../testing/index.ts';
import { defineList, findNewestMatches } from './list.ts';

describe('the conditions of filters', () => {
  it('limit the ids to about the time, because ids contain it', () => {
    const moment = new Date('2026-01-01T00:00:00Z');
    const filters = { from: since('created_at'), to: until('created_at') };
    const { ordered: ids, sieve: times, bindings } = conditionsOf(filters, { from: moment, to: moment });
    assert.deepEqual(ids, ['id >= cast(:fromId as uuid)', 'id < cast(:toId as uuid)']);
    assert.deepEqual(times, ['created_at >= :from', 'created_at < :to']);
    assert.deepEqual([bindings['from'], bindings['to']], [moment, moment]);
    assert.ok(String(bindings['fromId']) < String(bindings['toId']));
  });
});

describe('a search with few or no matches', () => {
  const database = during(testDatabase);
  before(async () => {
    await fillTables(database.url, {
      account: `insert into account (id, email, email_key, role, display_name)
       select ${NUMBERED_ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User',
         case when n = 5 then 'Ann zquint' else 'Ann ' || n end from numbers`,
      person: `insert into person (id, name, name_key)
       select ${NUMBERED_ID}, n, case when n = 5 then 'ann zquint' else 'ann ' || n end from numbers`,
      api_token: `insert into api_token (id, name, prefix, token_hash, role, created_by)
       select ${NUMBERED_ID}, n, '', decode(lpad(to_hex(n), 64, '0'), 'hex'), 'Service',
         cast('00000000-0000-7000-8000-00000000000' || case when n = 5 then 1 else 2 end as uuid) from numbers`,
    });
  });

  const page = { beforeId: undefined, max: 50 };
  const persons = defineList<{ search?: string }, { id: string }>({
    table: 'person',
    select: 'select id from person',
    filters: { search: contains('name_key', 'cast(:part as text)') },
    sieved: ['name_key'],
  });
  type Find = (search: string) => (tx: Transaction) => Promise<{ nextBeforeId: string | undefined }>;
  const finds: [string, Find][] = [
    ['account', (search) => (tx) => accountSearch.findNewest(tx, { search }, page)],
    ['person', (search) => (tx) => persons.findNewest(tx, { search }, page)],
  ];
  for (const [table, find] of finds) {
    it(`reads few of very many rows: ${table}`, async () => {
      for (const [search, count] of Object.entries({ zq: 1, qz: 0, zquint: 1, nobody: 0 })) {
        const { found, read } = await reading(database.db, table, find(search));
        const items = Object.values(found).find((value) => Array.isArray(value));
        assert.deepEqual([items?.length, found.nextBeforeId], [count, undefined], search);
        assert.ok(read < 5000, `${search}: ${read}`);
      }
    });

    it(`stops if no index covers the text, and returns where to continue: ${table}`, async () => {
      const { found, read } = await reading(database.db, table, find('-/-'));
      const items = Object.values(found).find((value) => Array.isArray(value));
      assert.deepEqual([items, typeof found.nextBeforeId], [[], 'string']);
      assert.ok(read < 55_000, String(read));
    });
  }

  it('stops earlier if rows are read slowly', async () => {
    const sieves = ["md5(repeat(cast(id as text), 700)) = ''"];
    const none = { ordered: [], sieved: [], bindings: {}, isSearchIndexed: false };
    const slow = { ...none, table: 'account', sieve: sieves };
    const { ids, nextBeforeId } = await findNewestMatches(database.db, slow, page);
    assert.deepEqual([ids, nextBeforeId], [[], '00000000-0000-7000-8000-000000063001']);
  });

  it('finds the few tokens of somebody, without reading those of others', async () => {
    const tokens = defineList<{ createdBy: string }, object>({
      table: 'api_token',
      select: 'select id from api_token',
      filters: { createdBy: ordered('created_by = :createdBy') },
      sieved: [],
    });
    for (const [creator, count] of Object.entries({ 1: 1, 3: 0 })) {
      const createdBy = `00000000-0000-7000-8000-00000000000${creator}`;
      const find = (tx: Transaction) => tokens.findNewest(tx, { createdBy }, page);
      const { found, read } = await reading(database.db, 'api_token', find);
      assert.equal(found.rows.length, count);
      assert.ok(read < 100, String(read));
    }
  });
});
