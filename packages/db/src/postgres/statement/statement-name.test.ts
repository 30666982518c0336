import assert from 'node:assert/strict';
import { statementName } from './traced-statements.ts';

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
  ] as const) {
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(sql.slice(0, 50))}`, () => {
      assert.equal(statementName(sql), name);
    });
  }

  it('has nothing of its values, and takes no time for long texts', () => {
    const long = `select ${'x, '.repeat(50_000)} from account where email = 'someone@example.com'`;
    const begun = performance.now();
    assert.equal(statementName(long), 'select account');
    statementName('select '.repeat(20_000));
    statementName(`delete ${' '.repeat(100_000)}from x`);
    assert.ok(performance.now() - begun < 500);
  });
});
