import type { ImportLine, SkipReason } from './exports/conversion.ts';
import { count, type ConvertedExport } from './exports/exports.ts';
import type { Table, TableRow } from './table.ts';

/**
 * The fields of an imported account (docs/accounts.md), and their usual column names: ours, those of Entra, Google,
 * Outlook, Keycloak and LDAP, and of German spreadsheets. `FirstName` and `LastName` make the name where there is none.
 */
export const FIELDS = [
  [
    'Email',
    [
      ...['email', 'emailaddress', 'mail', 'primaryemail', 'useremail', 'mailaddress', 'email1value'],
      ...[
        'emailadresse',
        'primaereemailadresse',
        'mailadresse',
        'userprincipalname',
        'upn',
        'username',
        'login',
        'benutzername',
      ],
    ],
  ],
  ['DisplayName', ['displayname', 'fullname', 'name', 'anzeigename', 'vollstaendigername', 'cn']],
  ['FirstName', ['firstname', 'givenname', 'vorname']],
  ['LastName', ['lastname', 'surname', 'familyname', 'sn', 'nachname', 'familienname']],
  ['Role', ['role', 'rolle']],
  ['Groups', ['groups', 'gruppen']],
  ['PasswordHash', ['passwordhash', 'hash', 'bcrypt', 'encryptedpassword', 'passworthash']],
] as const;

export type Field = (typeof FIELDS)[number][0];

export type Mapping = Readonly<Partial<Record<Field, string>>>;

const FALSE = /^(?:false|f|no|n|0|falsch|nein|faux|falso|onwaar)$/i;
const TRUE = /^(?:true|t|yes|y|x|-?1|wahr|ja|j|vrai|vero|verdadero|waar)$/i;

/** The columns that say who is closed, of Entra, Google, Microsoft 365 and databases, and the cells: closed, open. */
const CLOSED = [
  [/^(?:account)?enabled$/, FALSE, TRUE],
  // The template of Entra asks the opposite in it: `Block sign in (Yes/No) [accountEnabled]`.
  [/^(?:is)?(?:disabled|blocked)$|^blockcredential$|\[accountenabled/, TRUE, FALSE],
  [/^status\[readonly$/, /^(?!active$)./i, /^active$/i],
] as const;

export function guessMapping({ columns }: Pick<Table, 'columns'>): Mapping {
  const found: Partial<Record<Field, string>> = {};
  for (const [field, names] of FIELDS) {
    const column = names.flatMap((name) => columns.find((one) => plain(one) === name) ?? [])[0];
    if (column !== undefined) found[field] = column;
  }
  const { DisplayName, ...others } = found;
  // German lists: `Name` beside `Vorname` is the last name.
  const isLast =
    DisplayName !== undefined && plain(DisplayName) === 'name' && !found.LastName && found.FirstName;
  return isLast ? { ...others, LastName: DisplayName } : found;
}

/** Google writes `First Name [Required]`, Entra `Name [displayName] Required`, Outlook `E-mail Address`. */
function plain(column: string): string {
  const [, named = column] = /\[([a-z]\w*)\]/.exec(column) ?? [];
  const bare = named.replace(/\[[^[\]]*\]/g, '').toLowerCase();
  return bare.replaceAll('ä', 'ae').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The accounts of a table, without those of closed people, and the columns that are not carried over. */
export function convertTable({ columns, rows }: Table, mapping: Mapping): ConvertedExport {
  const closing = columns.flatMap((column) => {
    const letters = column.toLowerCase().replaceAll(/[^a-z[]/g, '');
    return CLOSED.flatMap(([name, closed, open]) => (name.test(letters) ? { column, closed, open } : []));
  });
  const mapped = new Set(Object.values(mapping));
  const others = columns.filter((column) => !mapped.has(column));
  const openCells = new Map(closing.map(({ column, open }) => [column, open]));
  const leftOut = new Map<SkipReason, number>();
  const notCarried = new Map<string, number>();
  const lines = rows.flatMap((row) => {
    if (closing.some(({ column, closed }) => closed.test(row.values?.get(column) ?? ''))) {
      count(leftOut, 'disabled or deleted');
      return [];
    }
    for (const column of others) {
      const cell = row.values?.get(column);
      if (cell && !openCells.get(column)?.test(cell)) count(notCarried, `the column ${column}`);
    }
    return [{ at: row.line, place: `line ${row.line}`, line: rowAccount(row, mapping) }];
  });
  return { lines, doubles: [], leftOut, notCarried };
}

/** The account of a row, with a name of first and last name; empty cells are omitted. */
function rowAccount({ values }: TableRow, mapping: Mapping): ImportLine {
  const cell = (field: Field): string | undefined => values?.get(mapping[field] ?? '') || undefined;
  const whole = [cell('FirstName'), cell('LastName')].filter(Boolean).join(' ') || undefined;
  const [Email, DisplayName, Role] = [cell('Email'), cell('DisplayName') ?? whole, cell('Role')];
  const [groups, PasswordHash] = [cell('Groups'), cell('PasswordHash')];
  const account: Partial<ImportLine> = {
    ...(Email && { Email }),
    ...(DisplayName && { DisplayName }),
    ...(Role && { Role }),
    ...(groups && { Groups: groups.split(/[\n,]/).flatMap((label) => label.trim() || []) }),
    ...(PasswordHash && { PasswordHash }),
  };
  // Admin refuses a line without an address.
  return account as ImportLine;
}
