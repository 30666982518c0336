import assert from 'node:assert/strict';
import { loginOf, query, SERVICES } from '@gatehouse/db';
import { during, testDatabase } from '@gatehouse/db/testing';
import { readPart } from './markdown-table.ts';

describe('docs/least-privilege.md', () => {
  const database = during(testDatabase);

  it('lists the rights of each service on every table; `npm run openapi` writes them', async () => {
    const roles = SERVICES.map((service) => loginOf('gatehouse', service));
    const rows = await query<Record<string, string>>(database.db, GRANTS, { roles });
    const real = new Map<string, string[]>();
    for (const { name = '', verbs = '' } of rows) real.set(name, [...(real.get(name) ?? []), verbs]);
    const [, , ...lines] = readPart('docs/least-privilege.md', 'grants').trim().split('\n');
    const expected = [...real].map(([name, verbs]) => [name, ...verbs.map((letters) => letters || '-')]);
    const listed = lines.slice(0, -1).map((line) => line.split(/ +/));
    assert.deepEqual(listed, expected);
  });
});

/** The privileges of each role on each table; a small letter means not on every column. */
const GRANTS = `
  select tablename as name, coalesce(
    (
      select string_agg(
        case when has_table_privilege(role, format('%I', tablename), privilege) then upper(letter) else letter end,
        '' order by position)
      from (values ('select', 'r', 1), ('insert', 'a', 2), ('update', 'c', 3)) as verb (privilege, letter, position)
      where has_any_column_privilege(role, format('%I', tablename), privilege)
    ) || case when has_table_privilege(role, format('%I', tablename), 'delete') then 'D' else '' end,
    '') as verbs
  from pg_tables, unnest(cast(:roles as text[])) with ordinality as roles (role, number)
  where schemaname = 'public'
  order by tablename collate "C", number`;
