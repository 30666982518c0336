import { accountOf, entriesIn, fullName, isEntry, listed, textOf } from './conversion.ts';
import type { Converter, Entry } from './conversion.ts';

/** The prefix of Django's value for accounts without a usable password. */
const UNUSABLE = '!';
/** The model of addresses in django-allauth. */
const ADDRESS = 'account.emailaddress';

/**
 * Django: the output of `manage.py dumpdata auth.user`, or of another user model. Django itself does not record
 * whether an address is verified. If the file contains `account.emailaddress` of django-allauth, this decides;
 * otherwise every address counts as verified.
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
  marks: [['isVerified', 'password']],
  fields: (
    'isVerified model username email password first_name last_name name is_active is_staff is_superuser ' +
    'last_login date_joined'
  ).split(' '),
};

/** Recognised by the name of the model, or by the fields that user models inherit from Django's `AbstractBaseUser`. */
function isUser(model: unknown, fields: Entry): boolean {
  return (
    (typeof model === 'string' && /\.user$/i.test(model)) ||
    ['password', 'last_login', 'email'].every((name) => name in fields)
  );
}

/** Whether an address is verified as one of this user; `undefined` if the file says nothing about it. */
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
  // With `--natural-foreign`, an address refers to its user by the login name.
  return (pk, { email, username }) =>
    [pk, [username], [email]].some((user) => verified.has(keyOf(email, user)));
}

function keyOf(email: unknown, user: unknown): string {
  return JSON.stringify([typeof email === 'string' ? email.toLowerCase() : email, user]);
}
