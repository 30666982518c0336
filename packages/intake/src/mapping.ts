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

/** The column for each field; a field without a column is omitted. */
export type Mapping = Readonly<Partial<Record<Field, string>>>;

/** An account as it is sent: with a name of first and last name. Empty cells are left out. */
export type TableAccount = Partial<
  Record<Exclude<Field, 'FirstName' | 'LastName' | 'Groups'>, string> & { Groups: string[] }
>;

/** Maps the fields to the columns with a usual name. */
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

/** The account of a row; empty cells are omitted. */
export function rowAccount({ values }: TableRow, mapping: Mapping): TableAccount {
  const cell = (field: Field): string | undefined => values?.get(mapping[field] ?? '') || undefined;
  const whole = [cell('FirstName'), cell('LastName')].filter(Boolean).join(' ') || undefined;
  const [Email, DisplayName, Role] = [cell('Email'), cell('DisplayName') ?? whole, cell('Role')];
  const [groups, PasswordHash] = [cell('Groups'), cell('PasswordHash')];
  return {
    ...(Email && { Email }),
    ...(DisplayName && { DisplayName }),
    ...(Role && { Role }),
    ...(groups && { Groups: groups.split(/[\n,]/).flatMap((label) => label.trim() || []) }),
    ...(PasswordHash && { PasswordHash }),
  };
}
