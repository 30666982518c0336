/** An account in the format of `POST /admin/account/import`. */
export interface ImportLine {
  Email: string;
  DisplayName?: string | undefined;
  Role?: string;
  Groups?: readonly string[];
  PasswordHash?: string | undefined;
  PasswordSalt?: string | undefined;
  CredentialData?: string | undefined;
  SecretData?: string | undefined;
  PasswordDigest?: object;
}

type Password = Omit<ImportLine, 'Email' | 'DisplayName' | 'Role' | 'Groups'>;

export type SkipReason =
  | 'disabled or deleted'
  | 'without an email address'
  | 'not a person'
  | 'not an account'
  | 'an address that another entry has';

/** A converted entry of an export. `notes`: data that is not carried over. */
export type Conversion =
  { kind: 'account'; line: ImportLine; notes: readonly string[] } | { kind: 'left_out'; why: SkipReason };

export type Entry = Readonly<Record<string, unknown>>;

/** A value of an export's list, and its index from 0. */
export interface Listed {
  at: number;
  value: unknown;
}

export interface Converter {
  /** The entries of a parsed file; `undefined` if it is not an export of this system. */
  entriesOf: (file: unknown) => readonly Listed[] | undefined;
  convert: (entry: Entry) => Conversion;
  /** Fields by which an entry shows its system: all of one of these sets. */
  marks: readonly (readonly string[])[];
  /** Whether a file is one page of several. */
  isPage?: (file: unknown) => boolean;
  /** The fields of entries that `convert` reads, and those that contain nothing that an account could store. */
  fields: readonly string[];
}

interface Found {
  email: unknown;
  /** Whether the system has verified that the address belongs to the owner. */
  isVerified: boolean;
  isClosed?: boolean;
  /** Whether the system required a new password before the next login. */
  isToBeChanged?: boolean;
  name?: string | undefined;
  password?: Password | undefined;
  notes?: readonly string[];
}

/**
 * Converts an entry to an account. A closed account is left out, because its owner could log in after the import.
 * Passwords are left out if someone else could use them: if the address is not verified, or if the password had to be
 * changed. Then the owner completes the account with a mail.
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

export function listed(value: unknown): Listed[] | undefined {
  return Array.isArray(value) ? value.map((one: unknown, at) => ({ at, value: one })) : undefined;
}

export function entriesIn(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function fullName(...parts: readonly unknown[]): string | undefined {
  return textOf(parts.map((part) => textOf(part) ?? '').join(' '));
}
