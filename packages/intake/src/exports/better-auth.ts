import { accountOf, entriesIn, isEntry, listed, textOf, type Converter } from './conversion.ts';

/**
 * better-auth: the rows of its tables as `{ "user": […], "account": […] }`. Passwords are in the rows of `account`
 * with the provider `credential`. SQLite and MySQL represent booleans as 1 and 0.
 */
export const betterAuth: Converter = {
  entriesOf: (file) => {
    if (!isEntry(file)) return undefined;
    const credentials = entriesIn(file['account'] ?? file['accounts']).filter(
      (row) => of(row, 'providerId') === 'credential',
    );
    const hashes = new Map(credentials.map((row) => [of(row, 'userId'), row['password']]));
    return listed(file['user'] ?? file['users'])?.map(({ at, value }) => ({
      at,
      value: isEntry(value) ? { ...value, password: hashes.get(value['id']) } : value,
    }));
  },
  convert: (entry) => {
    // The address of such a user is generated.
    if (isTrue(of(entry, 'isAnonymous'))) return { kind: 'left_out', why: 'not a person' };
    const hash = textOf(entry['password']);
    return accountOf({
      email: entry['email'],
      isVerified: isTrue(of(entry, 'emailVerified')),
      isClosed: isTrue(entry['banned']) && !isOver(of(entry, 'banExpires')),
      name: textOf(entry['name']),
      password: hash === undefined ? undefined : { PasswordHash: hash },
      notes: isTrue(of(entry, 'twoFactorEnabled')) ? ['a second factor'] : [],
    });
  },
  marks: [
    ['id', 'emailVerified', 'name'],
    ['id', 'email_verified', 'name'],
  ],
  fields: (
    'id email emailVerified name password banned banReason banExpires image isAnonymous twoFactorEnabled ' +
    'createdAt updatedAt'
  )
    .split(' ')
    .flatMap((name) => [name, snake(name)]),
};

/** A field by its name in better-auth, or by its column name if columns are in snake case. */
function of(row: Readonly<Record<string, unknown>>, name: string): unknown {
  return row[name] ?? row[snake(name)];
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

/** A ban without an end has not ended, nor one whose end is a number: it could be seconds or milliseconds. */
function isOver(end: unknown): boolean {
  const text = textOf(end) ?? '';
  return /^\d{4}-\d{2}-\d{2}/.test(text) && Date.parse(text) <= Date.now();
}
