/** An account as `POST /admin/account/import` takes it. */
export interface ImportLine {
  Email: string;
  DisplayName?: string | undefined;
  PasswordHash?: string | undefined;
  PasswordSalt?: string | undefined;
  CredentialData?: string | undefined;
  SecretData?: string | undefined;
}

type Password = Omit<ImportLine, 'Email' | 'DisplayName'>;

/** Why an entry of an export becomes no account. */
export type LeftOut =
  | 'disabled or deleted'
  | 'without an email address'
  | 'not a person'
  | 'not an account'
  | 'an address that another entry has';

/** One entry of an export, converted. `notes`: what of it is not carried over. */
export type Conversion =
  { kind: 'account'; line: ImportLine; notes: readonly string[] } | { kind: 'left_out'; why: LeftOut };

/** An entry of an export: an object of JSON, of any content. */
export type Entry = Readonly<Record<string, unknown>>;

/** What stands at a place of an export's list, counted from 0. */
export interface Listed {
  at: number;
  value: unknown;
}

/** Reads the exports of one system. */
export interface Converter {
  /** What of a parsed file are the entries; `undefined` where it is not an export of this system. */
  entriesOf: (file: unknown) => readonly Listed[] | undefined;
  convert: (entry: Entry) => Conversion;
  /** The fields of entries that `convert` reads, or that say nothing that an account could keep. */
  fields: readonly string[];
}

interface Found {
  email: unknown;
  /** Whether the system knows that the address is the owner's. */
  isVerified: boolean;
  isClosed?: boolean;
  /** Whether the system let nobody in by the password before another one was chosen. */
  isToBeChanged?: boolean;
  name?: string | undefined;
  password?: Password | undefined;
  notes?: readonly string[];
}

/**
 * The account of an entry. A closed one is left out: imported, it could log in. So could whoever registered an address
 * that is not theirs, and whoever knows a password that was to be changed: it stays behind then, and the owner completes
 * the account by a mail.
 */
export function accountOf(found: Found): Conversion {
  const { email, isVerified, isClosed, isToBeChanged, name, password, notes = [] } = found;
  if (isClosed === true) return { kind: 'left_out', why: 'disabled or deleted' };
  if (typeof email !== 'string' || email === '') return { kind: 'left_out', why: 'without an email address' };
  const why = isToBeChanged ? TO_BE_CHANGED : isVerified ? undefined : UNVERIFIED;
  const isDropped = password !== undefined && why !== undefined;
  return {
    kind: 'account',
    line: {
      Email: email,
      ...(name !== undefined && name !== '' && { DisplayName: name }),
      ...(isDropped ? {} : password),
    },
    notes: isDropped ? [...notes, why] : notes,
  };
}

const UNVERIFIED = 'a password, as the address is not verified';
const TO_BE_CHANGED = 'a password, as it was to be changed';

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands in a list, and where; `undefined` where there is none. */
export function listed(value: unknown): Listed[] | undefined {
  return Array.isArray(value) ? value.map((one: unknown, at) => ({ at, value: one })) : undefined;
}

/** The objects of a list; none where there is no list. */
export function entriesIn(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** First and last name in one. */
export function fullName(...parts: readonly unknown[]): string | undefined {
  return textOf(parts.map((part) => textOf(part) ?? '').join(' '));
}
