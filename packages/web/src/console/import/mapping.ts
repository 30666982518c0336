import { labelsIn } from '../ui/list-in.ts';
import type { Table, TableRow } from './read-accounts.ts';

/** The fields of an imported account (docs/accounts.md), and their usual column names in other systems. */
export const FIELDS = [
  ['Email', ['email', 'emailaddress', 'mail', 'username', 'login']],
  ['DisplayName', ['displayname', 'name', 'fullname']],
  ['Role', ['role']],
  ['Groups', ['groups', 'memberof']],
  ['PasswordHash', ['passwordhash', 'hash', 'bcrypt', 'encryptedpassword']],
] as const;

export type Field = (typeof FIELDS)[number][0];

/** The column for each field; a field without a column is omitted. */
export type Mapping = Readonly<Partial<Record<Field, string>>>;

/** Maps the fields to the columns with a usual name. */
export function guessMapping({ columns }: Table): Mapping {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');
  return Object.fromEntries(
    FIELDS.flatMap(([field, names]) => {
      const found = names.flatMap((name) => columns.find((column) => plain(column) === name) ?? []);
      return found[0] === undefined ? [] : [[field, found[0]]];
    }),
  );
}

/** The account that is sent for a row; empty cells are omitted. */
export function accountOf({ values }: TableRow, mapping: Mapping): Partial<Record<Field, string | string[]>> {
  return Object.fromEntries(
    FIELDS.flatMap(([field]) => {
      const value = values?.get(mapping[field] ?? '');
      return value ? [[field, field === 'Groups' ? labelsIn(value) : value]] : [];
    }),
  );
}
