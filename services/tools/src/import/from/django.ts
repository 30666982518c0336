import {
  accountOf,
  entriesIn,
  fullName,
  isEntry,
  listed,
  textOf,
  type Converter,
  type Entry,
} from './conversion.ts';

/** Begins what Django keeps where there is no password. */
const UNUSABLE = '!';
/** Of django-allauth. */
const ADDRESS = 'account.emailaddress';

/**
 * Django: what `manage.py dumpdata auth.user` writes, or that of another model of users. Django itself does not know
 * whether an address was verified: where `account.emailaddress` of django-allauth is in the file, that decides; without
 * it every address counts as verified.
 */
export const django: Converter = {
  entriesOf: (file) => {
    const verified = verifiedAddresses(entriesIn(file));
    return listed(file)
      ?.filter(({ value }) => !isEntry(value) || value['model'] !== ADDRESS)
      .map(({ at, value }) => {
        if (!isEntry(value) || !isEntry(value['fields'])) return { at, value };
        const { model, pk, fields } = value;
        if (!isUser(model, fields)) return { at, value: { model } };
        return { at, value: { ...fields, isVerified: verified === undefined || verified(pk, fields) } };
      });
  },
  convert: (entry) => {
    if (entry['isVerified'] === undefined) return { kind: 'left_out', why: 'not an account' };
    const hash = textOf(entry['password']);
    return accountOf({
      email: entry['email'],
      isVerified: entry['isVerified'] === true,
      isClosed: entry['is_active'] === false,
      name: fullName(entry['first_name'], entry['last_name']) ?? textOf(entry['name']),
      password: hash === undefined || hash.startsWith(UNUSABLE) ? undefined : { PasswordHash: hash },
      notes: ['is_staff', 'is_superuser']
        .filter((right) => entry[right] === true)
        .map((right) => `the right ${right}`),
    });
  },
  fields: [
    'isVerified',
    'model',
    'username',
    'email',
    'password',
    'first_name',
    'last_name',
    'name',
    'is_active',
    'is_staff',
    'is_superuser',
    'last_login',
    'date_joined',
  ],
};

/** By the model's name, or by what every model of users has from Django's `AbstractBaseUser`. */
function isUser(model: unknown, fields: Entry): boolean {
  return (
    (typeof model === 'string' && /\.user$/i.test(model)) ||
    ['password', 'last_login', 'email'].every((name) => name in fields)
  );
}

/** Whether the address of a user is verified: in any case, and as an address of that user; `undefined` where no file says so. */
function verifiedAddresses(rows: readonly Entry[]): ((pk: unknown, fields: Entry) => boolean) | undefined {
  const addresses = rows.filter(({ model }) => model === ADDRESS);
  if (addresses.length === 0) return undefined;
  const verified = new Set(
    addresses
      .map(({ fields }) => fields)
      .filter(isEntry)
      .filter((fields) => fields['verified'] === true)
      .map(({ email, user }) => keyOf(email, user)),
  );
  // With `--natural-foreign` an address names its user by what they log in with.
  return (pk, { email, username }) =>
    [pk, [username], [email]].some((user) => verified.has(keyOf(email, user)));
}

function keyOf(email: unknown, user: unknown): string {
  return JSON.stringify([typeof email === 'string' ? email.toLowerCase() : email, user]);
}
