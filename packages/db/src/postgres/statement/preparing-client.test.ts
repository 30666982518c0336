import assert from 'node:assert/strict';
import { Unavailable, NO_DEADLINE } from '@gatehouse/runtime';
import { inTransaction, query, type Db, type Executor } from '../connect.ts';
import { during, testDatabase } from '../../testing/index.ts';
import { statementName } from './traced-statements.ts';

describe('frequent statements', () => {
  const database = during(testDatabase);
  let owner: Db;
  let db: Db;
  before(async () => {
    owner = database.db;
    await query(owner, 'create table note (id integer primary key, text varchar(5) not null)');
  });
  beforeEach(() => (db = database.connect({ poolMax: 1, prepares: true })));

  const times = async (count: number, ask: () => Promise<unknown>): Promise<void> => {
    for (let at = 0; at < count; at += 1) await ask();
  };
  const prepared = (executor: Executor) =>
    query.column<string>(executor, 'select statement from pg_prepared_statements');

  it('are prepared once per connection, inside and outside transactions', async () => {
    await times(20, () => query(db, 'select ?::int as often', [1]));
    await inTransaction(db, NO_DEADLINE, (tx) => times(20, () => query(tx, 'select ?::int as within', [1])));
    await times(20, () => db.select(db.raw('?::int as built', [1])));
    const texts = await prepared(db);
    for (const name of ['often', 'within', 'built'])
      assert.equal(texts.filter((text) => text.includes(name)).length, 1, name);
  });

  it('have their own values each time', async () => {
    for (let value = 0; value < 20; value += 1)
      assert.deepEqual(await query(db, 'select ?::int as value', [value]), [{ value }]);
  });

  it('exclude rare statements, patterns, and statements without parameters', async () => {
    await times(3, () => query(db, 'select ?::int as seldom', [1]));
    await times(20, () => query(db, `select 1 as matched where 'text' like ?`, ['t%']));
    await times(20, () => query(db, 'select 1 as bare; select 2 as bare'));
    for (let at = 0; at < 200; at += 1) await query(db, `select ?::int as any_of_many_${at}`, [1]);
    const rare = (await prepared(db)).filter((text) => /seldom|matched|bare|any_of_many/.test(text));
    assert.deepEqual(rare, []);
  });

  it('have names that are unique to the statement across processes', async () => {
    const named = async (before: string): Promise<unknown[]> => {
      const pool = database.connect({ poolMax: 1, prepares: true });
      await times(10, () => query(pool, `select ?::int as ${before}`, [1]));
      await times(10, () => query(pool, 'select ?::int as common', [1]));
      return query.column(pool, 'select name from pg_prepared_statements order by 1');
    };
    const [some, others] = [await named('one'), await named('two')];
    assert.equal(some.length, 2);
    assert.equal(some.filter((name) => others.includes(name)).length, 1);
  });

  it('survive a failure of one of them', async () => {
    await times(20, () => query(db, 'select 1 / ?::int as quotient', [1]));
    await assert.rejects(query(db, 'select 1 / ?::int as quotient', [0]), { code: '22012' });
    assert.deepEqual(await query(db, 'select 1 / ?::int as quotient', [1]), [{ quotient: 1 }]);
  });

  it('fail one request, not the process, when a migration changes their result', async () => {
    const read = () => query<{ text: string }>(db, 'select text from note where id = ?', [1]);
    await query(owner, `insert into note (id, text) values (1, 'short')`);
    await times(20, read);
    await query(owner, 'alter table note alter column text type text');
    await assert.rejects(read, Unavailable);
    assert.deepEqual(await read(), [{ text: 'short' }]);
  });
});

describe('the name of a statement', () => {
  for (const [sql, name] of [
    ['select 1', 'select'],
    [`select id, email\n     from account\n     where email = ?`, 'select account'],
    [
      'insert into outbox (id) select id from jsonb_array_elements(?::jsonb)',
      'insert outbox select jsonb_array_elements',
    ],
    [
      'update outbox set x = 1 where id in (select id from outbox order by id limit ? for update skip locked)',
      'update outbox select outbox',
    ],
    ['insert into session (id) values (?) on conflict (id) do update set x = 1', 'insert session'],
    [
      'with gone as (delete from outbox where id = :id) insert into mail_delivery (id) values (1)',
      'delete outbox insert mail_delivery',
    ],
    ['set local statement_timeout = 5', 'set'],
    ['', 'statement'],
  ] as const)
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(sql.slice(0, 50))}`, () =>
      assert.equal(statementName(sql), name));

  it('has nothing of its values, and takes no time for long texts', () => {
    const long = `select ${'x, '.repeat(50_000)} from account where email = 'someone@example.com'`;
    const begun = performance.now();
    assert.equal(statementName(long), 'select account');
    statementName('select '.repeat(20_000));
    statementName(`delete ${' '.repeat(100_000)}from x`);
    assert.ok(performance.now() - begun < 500);
  });
});
