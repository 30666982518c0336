import { readFileSync } from 'node:fs';
import { loginOf, SERVICES } from '@gatehouse/db';
import { withParts } from './markdown-table.ts';
import { ROOT } from '../write-generated.ts';

export const GRANTS_PAGE = 'docs/least-privilege.md';

/** Each privilege on all columns, and on some. */
const LETTERS = [
  ['select', 'R', 'r'],
  ['insert', 'A', 'a'],
  ['update', 'C', 'c'],
  ['delete', 'D', 'D'],
] as const;

type Privilege = (typeof LETTERS)[number][0];

/** Whether a privilege covers all columns of a table, or some. */
type Rights = Map<Privilege, 'all' | 'some'>;

/** The page as it should be: its own words around the table that grants.sql makes. */
export function grantsPage(): Promise<string> {
  const sql = readFileSync(new URL('packages/db/src/schema/grants.sql', ROOT), 'utf8');
  const tables = readGrants(sql.replaceAll(/^ *--.*$/gm, ''));
  const rows = [...tables]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([table, rights]) => [
      table,
      ...SERVICES.map((service) => describeRights(rights.get(loginOf('gatehouse', service))) || '-'),
    ]);
  const lines = [['Table', ...SERVICES], ...rows].map(([table = '', ...cells]) =>
    [table.padEnd(22), ...cells.map((cell) => cell.padEnd(12))].join('').trimEnd(),
  );
  return withParts(GRANTS_PAGE, { grants: ['```text', ...lines, '```'] });
}

/** The rights that these statements give, by table and role. A table without any has a line `revoke all on …`. */
function readGrants(sql: string): Map<string, Map<string, Rights>> {
  const tables = new Map<string, Map<string, Rights>>();
  for (const [, table = ''] of sql.matchAll(/^revoke all on (\w+) from public;/gm))
    tables.set(table, new Map());
  for (const [, privileges = '', table = '', roles = ''] of sql.matchAll(
    /^grant ((?:(?:select|insert|update|delete)[^;]*?)) on (\w+)\s+to ([^;]+);/gm,
  )) {
    const byRole = tables.get(table) ?? new Map<string, Rights>();
    tables.set(table, byRole);
    for (const role of roles.split(/,\s*/)) {
      const rights = byRole.get(role) ?? new Map<Privilege, 'all' | 'some'>();
      byRole.set(role, rights);
      for (const [privilege] of LETTERS) {
        const granted = new RegExp(`\\b${privilege}\\b( \\()?`).exec(privileges);
        if (granted !== null && rights.get(privilege) !== 'all')
          rights.set(privilege, granted[1] === undefined ? 'all' : 'some');
      }
    }
  }
  return tables;
}

function describeRights(rights: Rights = new Map()): string {
  return LETTERS.map(([privilege, all, some]) => {
    const columns = rights.get(privilege);
    if (columns === undefined) return '';
    return columns === 'all' ? all : some;
  }).join('');
}
