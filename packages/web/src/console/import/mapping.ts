import type { Table, TableRow } from './read-accounts.ts';

/** What an account to be imported has (docs/accounts.md), and how other systems call it. */
export const FIELDS = [
  ['Email', ['email', 'emailaddress', 'mail', 'username', 'login']],
  ['DisplayName', ['displayname', 'name', 'fullname']],
  ['Role', ['role']],
  ['PasswordHash', ['passwordhash', 'hash', 'bcrypt', 'encryptedpassword']],
] as const;

export type Field = (typeof FIELDS)[number][0];

/** Which column holds what; a field without a column is left out. */
export type Mapping = Readonly<Partial<Record<Field, string>>>;

/** The columns whose names say what they hold. */
export function guessMapping({ columns }: Table): Mapping {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');
  return Object.fromEntries(
    FIELDS.flatMap(([field, names]) => {
      const found = names.flatMap((name) => columns.find((column) => plain(column) === name) ?? []);
      return found[0] === undefined ? [] : [[field, found[0]]];
    }),
  );
}

/** What is sent for a row; empty cells are left out. */
export function accountOf({ values }: TableRow, mapping: Mapping): Partial<Record<Field, string>> {
  return Object.fromEntries(
    FIELDS.flatMap(([field]) => {
      const value = values?.get(mapping[field] ?? '');
      return value ? [[field, value]] : [];
    }),
  );
}
