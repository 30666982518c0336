import { accountOf, isEntry, listed, textOf, type Converter } from './conversion.ts';

/** Firebase: the output of `firebase auth:export users.json --format=json`. */
export const firebase: Converter = {
  entriesOf: (file) => (isEntry(file) ? listed(file['users']) : undefined),
  convert: (entry) => {
    const [hash, salt] = [textOf(entry['passwordHash']), textOf(entry['salt'])];
    return accountOf({
      email: entry['email'],
      isVerified: entry['emailVerified'] === true,
      isClosed: entry['disabled'] === true,
      name: textOf(entry['displayName']),
      password:
        hash === undefined || salt === undefined ? undefined : { PasswordHash: hash, PasswordSalt: salt },
      notes: hash !== undefined && salt === undefined ? ['a password without a salt'] : [],
    });
  },
  marks: [['localId']],
  fields: (
    'localId email emailVerified disabled displayName photoUrl passwordHash salt version createdAt ' +
    'lastSignedInAt passwordUpdatedAt validSince'
  ).split(' '),
};
