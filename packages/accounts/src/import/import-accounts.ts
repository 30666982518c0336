import { accountImport, audit, inTransaction } from '@gatehouse/db';
import type { Actor, AuditEntry, ImportedAccount } from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import { readForeign, type FirebaseParameters, type ForeignPassword } from '@gatehouse/auth-core';
import {
  DisplayName,
  distinctGroups,
  Email,
  emailKey,
  Enum,
  Groups,
  NameOf,
  normalizeEmail,
  Optional,
  Text,
  Type,
  type Static,
} from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';

/** An account exported from another system: with a password in one of four forms, or without one. */
export const ImportLine = Type.Object({
  Email: Email(),
  DisplayName: Type.Optional(DisplayName()),
  Role: Type.Optional(NameOf(['User', 'Admin'])),
  Groups: Type.Optional(Groups()),
  PasswordHash: Optional.String({
    format: 'plain-text',
    maxLength: 1024,
    writeOnly: true,
    description:
      'The hash of the password: bcrypt, argon2, scrypt or PBKDF2, in the format of the original system ' +
      '(docs/passwords.md)',
  }),
  PasswordSalt: Optional.String({
    format: 'plain-text',
    maxLength: 256,
    writeOnly: true,
    description: 'The salt of a hash exported from Firebase; requires the parameter `firebase`',
  }),
  CredentialData: Type.Optional(keycloakText('credentialData')),
  SecretData: Type.Optional(keycloakText('secretData')),
  PasswordDigest: Type.Optional(
    Type.Object(
      {
        Algorithm: Enum(['md5', 'sha1', 'sha256', 'sha512']),
        Salt: Type.Optional(Text(256)),
        SaltPosition: Type.Optional(
          Enum(['prefix', 'suffix'], { description: 'The position of the salt; `prefix` by default' }),
        ),
        Hash: Text(128, { description: 'In hexadecimal or Base64' }),
      },
      {
        title: 'PasswordDigest',
        writeOnly: true,
        description: 'A fast hash of salt and password; it is hashed again before it is stored',
      },
    ),
  ),
});

function keycloakText(name: string) {
  return Type.String({
    format: 'plain-text',
    maxLength: 4096,
    writeOnly: true,
    description: `\`${name}\` of a password exported from Keycloak, a JSON text`,
  });
}

type LinePassword =
  | Exclude<ReturnType<typeof readForeign>, { kind: 'fault' }>
  | { kind: 'none' }
  | { kind: 'fault'; code: 'invalid_line' | 'hash_too_costly'; message: string };

function readPassword(
  line: Static<typeof ImportLine>,
  firebase: FirebaseParameters | undefined,
): LinePassword {
  const given = passwordOf(line, firebase);
  if (given === undefined) return { kind: 'none' };
  if (typeof given === 'string') return { kind: 'fault', code: 'invalid_line', message: given };
  const reading = readForeign(given);
  if (reading.kind !== 'fault') return reading;
  const pointer = POINTERS[given.kind];
  return reading.fault === 'hash_too_costly'
    ? { kind: 'fault', code: 'hash_too_costly', message: `${pointer} costs more than one login may` }
    : { kind: 'fault', code: 'invalid_line', message: `${pointer} is in no supported format` };
}

const POINTERS: Record<ForeignPassword['kind'], string> = {
  hash: '/PasswordHash',
  firebase: '/PasswordHash',
  keycloak: '/CredentialData',
  digest: '/PasswordDigest',
};

/** The password data of a line; a message if its fields do not match each other. */
function passwordOf(
  line: Static<typeof ImportLine>,
  firebase: FirebaseParameters | undefined,
): ForeignPassword | string | undefined {
  const { PasswordHash: hash, PasswordSalt: salt, CredentialData, SecretData, PasswordDigest: digest } = line;
  const hasKeycloak = CredentialData !== undefined || SecretData !== undefined;
  if ([hash !== undefined, hasKeycloak, digest !== undefined].filter(Boolean).length > 1)
    return '/PasswordHash, /CredentialData and /PasswordDigest do not go together';
  if (salt !== undefined) {
    if (hash === undefined) return '/PasswordHash is required with /PasswordSalt';
    if (firebase === undefined) return '/PasswordSalt goes with the parameter firebase';
    return { kind: 'firebase', hash, salt, parameters: firebase };
  }
  if (hash !== undefined) return { kind: 'hash', hash };
  if (digest !== undefined) return { kind: 'digest', digest };
  if (!hasKeycloak) return undefined;
  if (CredentialData === undefined) return '/CredentialData is required with /SecretData';
  if (SecretData === undefined) return '/SecretData is required with /CredentialData';
  return { kind: 'keycloak', credentialData: CredentialData, secretData: SecretData };
}

/** Why a line is not imported; `email_taken`: its email already has an account, which stays as it is. */
export const IMPORT_FAULTS = ['invalid_line', 'hash_too_costly', 'email_taken'] as const;

interface Failure {
  line: number;
  code: (typeof IMPORT_FAULTS)[number];
  message: string;
}

/** The result of an import. If it was interrupted, all lines up to `lastLine` are done, and no later ones. */
export interface Import {
  imported: number;
  /** The number of lines whose email already has an account. */
  skipped: number;
  failed: number;
  /** The first thousand failures of each of these two kinds, in the order of their lines. */
  failures: Failure[];
  /** Lines whose stored hash makes every wrong password take longer (`slowCost`), and the highest cost among them. */
  slow: { lines: number; cost: number };
  /** The first thousand imported accounts without a password: they wait for their owners. */
  waiting: string[];
  lastLine: number;
  interruption: Unavailable | undefined;
}

type Line = { number: number } & (
  { kind: 'value'; value: Static<typeof ImportLine> } | { kind: 'fault'; fault: string }
);

type Row = Omit<ImportedAccount, 'password'> & {
  given: Exclude<LinePassword, { kind: 'fault' }>;
  slowCost?: number | undefined;
};

type ReadLine = { number: number } & ({ row: Row } | { fault: Omit<Failure, 'line'> });

const BATCH = 500;
const LISTED_MAX = 1000;
/** How many lines a dry run remembers to find duplicates; limited, so that memory stays constant. */
const TRIED_MAX = 100_000;

/**
 * Adds an account for each line, in batches that commit one by one, with constant memory. Invalid lines affect no
 * others. Emails with an account change nothing, so the same lines may be sent again. A dry run adds none. No events
 * are published: they would delay every mail.
 */
export async function importAccounts(
  deps: Pick<AccountsDeps, 'db' | 'passwords' | 'settings'>,
  lines: AsyncIterable<Line>,
  by: {
    actor: Actor;
    origin: Origin;
    isTrial?: boolean;
    firebase?: FirebaseParameters | undefined;
    dropsSlow?: boolean;
  },
): Promise<Import> {
  const outcome: Import = {
    imported: 0,
    skipped: 0,
    failed: 0,
    failures: [],
    slow: { lines: 0, cost: 0 },
    waiting: [],
    lastLine: 0,
    interruption: undefined,
  };
  const trial = by.isTrial === true ? new Set<string>() : undefined;
  let batch: ReadLine[] = [];
  /** The number of fast digests in the batch: each must be hashed with our own algorithm. */
  let digests = 0;
  const flush = async (): Promise<void> => {
    await importBatch(deps, batch, outcome, { ...by, trial });
    outcome.lastLine = batch.at(-1)?.number ?? outcome.lastLine;
    [batch, digests] = [[], 0];
  };
  try {
    for await (const line of lines) {
      const read = readLine(deps, line, by);
      batch.push(read);
      if ('row' in read && read.row.given.kind === 'fast') digests += 1;
      if (batch.length === BATCH || digests === deps.passwords.adoptedAtOnce) await flush();
    }
    await flush();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcome.interruption = error;
  }
  return outcome;
}

async function importBatch(
  { db, passwords }: Pick<AccountsDeps, 'db' | 'passwords'>,
  batch: readonly ReadLine[],
  outcome: Import,
  { actor, origin, trial }: { actor: Actor; origin: Origin; trial: Set<string> | undefined },
): Promise<void> {
  const rows = new Map<string, Row>();
  const keys = batch.map((line) => {
    if (!('row' in line) || rows.has(line.row.emailKey)) return undefined;
    rows.set(line.row.emailKey, line.row);
    return line.row.emailKey;
  });
  const added = rows.size === 0 ? new Set<string>() : await (trial === undefined ? insert() : tryOut(trial));
  batch.forEach((line, at) => {
    if ('fault' in line) recordFailure(outcome, { line: line.number, ...line.fault });
    else if (!added.has(keys[at] ?? '')) recordFailure(outcome, { line: line.number, ...TAKEN });
  });
  outcome.imported += added.size;
  for (const key of added) recordAdded(outcome, rows.get(key), trial === undefined);

  /** The accounts that `insert` would add, assuming it had added those of earlier batches. */
  async function tryOut(tried: Set<string>): Promise<Set<string>> {
    const taken = new Set(await accountImport.findTaken(db, [...rows.keys()]));
    const fresh = [...rows.keys()].filter((key) => !taken.has(key) && !tried.has(key));
    if (tried.size < TRIED_MAX) for (const key of fresh) tried.add(key);
    return new Set(fresh);
  }

  async function insert(): Promise<Set<string>> {
    const accounts = await adopt();
    return inTransaction(db, origin, async (tx) => {
      const inserted = new Set(await accountImport.insertMany(tx, accounts));
      if (inserted.size > 0) await audit.append(tx, entriesFor(inserted), origin);
      return inserted;
    });
  }

  /** Derives the stored form of the passwords, before anything is locked. */
  async function adopt(): Promise<ImportedAccount[]> {
    const isFast = ({ given }: Row): boolean => given.kind === 'fast';
    // Lines that were imported before are removed first, so that no time is spent on hashing for them.
    const fast = [...rows.values()].filter(isFast).map(({ emailKey: key }) => key);
    for (const key of fast.length === 0 ? [] : await accountImport.findTaken(db, fast)) rows.delete(key);
    const accounts: ImportedAccount[] = [];
    // One after another, because logins need the hashing threads, too.
    for (const { given, ...row } of rows.values()) {
      const password =
        given.kind === 'none' ? undefined : await passwords.from(origin.addressGroup).adopt(given);
      accounts.push({ ...row, password });
    }
    return accounts;
  }

  /** One entry for all, and one for each account with elevated rights or groups. */
  function entriesFor(inserted: ReadonlySet<string>): AuditEntry[] {
    const entry = { action: 'account.imported', actor } as const;
    const privileged = [...rows.values()].filter(
      ({ emailKey: key, role, groups }) => (role === 'Admin' || groups.length > 0) && inserted.has(key),
    );
    return [
      { ...entry, target: { kind: 'Account', id: undefined }, details: { Imported: inserted.size } },
      ...privileged.map(({ id, role, groups }): AuditEntry => ({
        ...entry,
        target: { kind: 'Account', id },
        details: { Role: role, ...(groups.length > 0 && { Groups: groups }) },
      })),
    ];
  }
}

const TAKEN = { code: 'email_taken', message: '/Email already has an account' } as const;

/** `slowCost`: that of the hash, if it is slow. With `dropsSlow`, such a line is imported without it. */
function readLine(
  { passwords, settings }: Pick<AccountsDeps, 'passwords' | 'settings'>,
  line: Line,
  { firebase, dropsSlow }: { firebase?: FirebaseParameters | undefined; dropsSlow?: boolean },
): ReadLine {
  const { number } = line;
  if (line.kind === 'fault') return { number, fault: { code: 'invalid_line', message: line.fault } };
  const { Email: typed, DisplayName: displayName, Role: role = 'User' } = line.value;
  const given = readPassword(line.value, firebase);
  if (given.kind === 'fault') return { number, fault: { code: given.code, message: given.message } };
  // The check of the line accepts only valid addresses.
  const email = normalizeEmail(typed) ?? typed;
  const groups = distinctGroups(line.value.Groups ?? []);
  const row = { id: newId(), email, emailKey: emailKey(email), displayName, role, groups };
  const slowCost = given.kind === 'none' ? undefined : passwords.slowCost(given, settings.IMPORT_EVEN_TIME);
  const isDropped = dropsSlow === true && slowCost !== undefined;
  return { number, row: { ...row, given: isDropped ? { kind: 'none' } : given, slowCost } };
}

function recordAdded({ slow, waiting }: Import, row: Row | undefined, isStored: boolean): void {
  if (row?.slowCost !== undefined) {
    slow.lines += 1;
    slow.cost = Math.max(slow.cost, row.slowCost);
  }
  if (isStored && row?.given.kind === 'none' && waiting.length < LISTED_MAX) waiting.push(row.id);
}

function recordFailure(outcome: Import, failure: Failure): void {
  const count = failure.code === 'email_taken' ? (outcome.skipped += 1) : (outcome.failed += 1);
  if (count <= LISTED_MAX) outcome.failures.push(failure);
}
