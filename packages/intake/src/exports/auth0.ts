import { accountOf, entriesIn, fullName, isEntry, listed, textOf } from './conversion.ts';
import type { Converter, Entry, Listed } from './conversion.ts';

/** Not known for a user without a profile in the file. */
const NO_PROFILE = 'whether it is blocked, as the file has no profile of it';

/**
 * Auth0: the users from its export job, the password hashes from its support, or best both in one file. All are
 * NDJSON. Only profiles tell which users are blocked.
 */
export const auth0: Converter = {
  entriesOf: (file) => {
    const rows = listed(file);
    return rows && joined(rows);
  },
  convert: (entry) => {
    const hash = textOf(entry['passwordHash'] ?? entry['password_hash']);
    const identifiers = entriesIn(entry['identifiers']);
    const address = identifiers.find(({ type }) => type === 'email');
    return accountOf({
      email: entry['email'] ?? address?.['value'],
      isVerified: (entry['email_verified'] ?? address?.['verified']) === true,
      isClosed: entry['blocked'] === true,
      name: textOf(entry['name']) ?? fullName(entry['given_name'], entry['family_name']),
      password: hash === undefined ? undefined : { PasswordHash: hash },
      notes: [
        ...identifiers
          .filter(({ type }) => type !== 'email')
          .map(({ type }) => `an identifier of the type ${String(type)}`),
        ...(idOfHash(entry) !== undefined && entry['user_id'] === undefined ? [NO_PROFILE] : []),
      ],
    });
  },
  marks: [
    ['user_id', 'email'],
    ['user_id', 'identities'],
    ['_id', 'passwordHash'],
    ['_id', 'connection'],
  ],
  fields: (
    '_id alt_id user_id email email_verified identifiers blocked name given_name family_name nickname ' +
    'picture passwordHash password_hash password_set_date tenant connection created_at updated_at ' +
    '_tmp_is_unique'
  ).split(' '),
};

/** Merges each profile with its hash, at the position of the hash. Entries that have only one of the two stay. */
function joined(rows: readonly Listed[]): Listed[] {
  const profiles = new Map<unknown, Entry>();
  for (const { value } of rows)
    if (isEntry(value) && value['user_id'] !== undefined && idOfHash(value) === undefined)
      profiles.set(value['user_id'], value);
  const used = new Set<unknown>();
  const withProfiles = rows.map(({ at, value }) => {
    const id = isEntry(value) ? idOfHash(value) : undefined;
    const profile = id === undefined ? undefined : profiles.get(id);
    if (profile === undefined || !isEntry(value)) return { at, value };
    used.add(profile);
    return { at, value: { ...value, ...profile } };
  });
  return withProfiles.filter(({ value }) => !used.has(value));
}

/** The user ID of an entry of password hashes. */
function idOfHash({ _id, alt_id, passwordHash }: Entry): string | undefined {
  const id = textOf(alt_id) ?? (isEntry(_id) ? textOf(_id['$oid']) : undefined);
  return id === undefined || passwordHash === undefined ? undefined : `auth0|${id}`;
}
