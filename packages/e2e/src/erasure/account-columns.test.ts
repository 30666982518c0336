import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during, testDatabase, type TestDatabase } from '@gatehouse/db/testing';

/** Columns that still refer to an account after its erasure, with the reason. */
const STAYS: Record<string, string> = {
  'api_token.created_by': 'a static token is the installation’s, whoever made it',
  'api_token.last_used_ip': 'the address of a program',
  'content_access.granted_by': 'the access is its guest’s; an id alone',
  'erasure.account_id': 'says that the account was erased; an id alone',
  'erasure.asked_by': 'says who asked for it; an id alone',
  'late_mail_check.account_id': 'of an account that was erased, for two minutes; an id alone',
  'hook_delivery.account_id': 'says whose session ended, as long as deliveries are kept; an id alone',
  'invitation.invited_by': 'the invitation is its guest’s; an id alone',
};

/** Names of columns with ids that do not refer to accounts. */
const OF_SOMETHING_ELSE = [
  ...['id', 'aaguid', 'client_id', 'client_session_id', 'code_id', 'content_definition_id', 'event_id'],
  ...['face_id', 'mail_event_id', 'passkey_id', 'person_id', 'receiver_id', 'replaced_by', 'session_id'],
  'webhook_id',
];

describe('forget_account', () => {
  const database = during(() => testDatabase());

  it('covers every column that refers to an account, except those listed with a reason', async () => {
    assert.deepEqual(await forgottenBy(database), Object.keys(STAYS).toSorted());
  });
});

interface Column {
  table: string;
  name: string;
  isId: boolean;
  /** What a foreign key to the account does with the row when the account is deleted. */
  onDelete: 'cascade' | 'set null' | null;
}

/** Columns that may refer to an account, or contain addresses of people or of their devices. */
const COLUMNS = `
  select c.table_name as "table", c.column_name as name, c.data_type = 'uuid' as "isId",
    case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' end as "onDelete"
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  left join pg_constraint k on k.contype = 'f' and k.conrelid = c.table_name::regclass
    and k.conkey = array[(
      select a.attnum from pg_attribute a where a.attrelid = k.conrelid and a.attname = c.column_name)]
    and k.confrelid = 'account'::regclass
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    and (c.data_type in ('uuid', 'inet') or c.column_name like '%email%')
  order by 1, 2`;

/** The columns, as `table.column`, whose rows `forget_account` neither removes nor changes. */
async function forgottenBy({ db }: TestDatabase): Promise<string[]> {
  const sql = `select prosrc as source from pg_proc where proname = 'forget_account'`;
  const statements = readStatements(await query.onlyValue<string>(db, sql));
  const columns = await query<Column>(db, COLUMNS);
  const goes = (table: string): boolean =>
    columns.some((one) => one.table === table && one.onDelete === 'cascade') ||
    statements.some((one) => one.table === table && one.kind === 'delete');
  return columns
    .filter(({ name, isId }) => !isId || !OF_SOMETHING_ELSE.includes(name))
    .filter(({ table, name, isId, onDelete }) => {
      const own = statements.filter((one) => one.table === table);
      if (isId) return onDelete === null && !own.some(({ accounts }) => accounts.includes(name));
      return !goes(table) && !own.some(({ emptied }) => emptied.includes(name));
    })
    .map(({ table, name }) => `${table}.${name}`)
    .toSorted();
}

interface Statement {
  kind: 'update' | 'delete';
  table: string;
  /** The columns that are compared with the account's id. */
  accounts: string[];
  /** The columns that are set to null. */
  emptied: string[];
}

/** The statements of a function that change tables, including those that its loop runs for a list of tables. */
function readStatements(source: string): Statement[] {
  const [, list = ''] = /array array\[([^\]]*)\] loop/.exec(source) ?? [];
  const listed = [...list.matchAll(/'(\w+)'/g)].map(([, table = '']): Statement => {
    return { kind: 'delete', table, accounts: ['account_id'], emptied: [] };
  });
  const written = source.split(/;|\breturning\b/).flatMap((text): Statement[] => {
    const [, kind, table = '', alias = ''] =
      /\b(update|delete) (?:from )?public\.(\w+) (\w+)/.exec(text) ?? [];
    if (kind !== 'update' && kind !== 'delete') return [];
    const namesOf = (pattern: string) =>
      [...text.matchAll(new RegExp(pattern, 'g'))].map(([, name = '']) => name);
    return [
      {
        kind,
        table,
        accounts: namesOf(`\\b${alias}\\.(\\w+) = forgotten\\b`),
        emptied: namesOf('\\b(\\w+) = null\\b'),
      },
    ];
  });
  return [...listed, ...written];
}
