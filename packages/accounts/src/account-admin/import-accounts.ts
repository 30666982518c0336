import {
  accountImport,
  audit,
  inTransaction,
  type Actor,
  type AuditEntry,
  type ImportedAccount,
} from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import {
  BcryptHash,
  DisplayName,
  Email,
  emailKey,
  NameOf,
  normalizeEmail,
  Type,
  type Static,
} from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';

/** An account as another system tells of it. */
export const ImportLine = Type.Object({
  Email: Email(),
  DisplayName: Type.Optional(DisplayName()),
  Role: Type.Optional(NameOf(['User', 'Admin'])),
  PasswordHash: Type.Optional(BcryptHash()),
});

/** A line that was not taken; `email_taken`: its email has an account already, which stays as it is. */
interface Failure {
  line: number;
  code: 'invalid_line' | 'email_taken';
  message: string;
}

/** What became of an import; where it broke off, all up to `lastLine` is done and the rest is not. */
export interface Import {
  imported: number;
  /** Lines whose email has an account already. */
  skipped: number;
  /** Lines that hold no account. */
  failed: number;
  /** The first thousand of each kind, in the order of their lines. */
  failures: Failure[];
  lastLine: number;
  interruption: Unavailable | undefined;
}

type Line = { number: number } & (
  { kind: 'value'; value: Static<typeof ImportLine> } | { kind: 'fault'; fault: string }
);

const BATCH = 500;
const LISTED_MAX = 1000;
/** So many lines a trial remembers, to find those that come twice; in constant memory, as all else. */
const TRIED_MAX = 100_000;

/**
 * Adds an account for each line, in batches that each commit for good, in constant memory. A line that is at
 * fault fails alone; one whose email has an account already changes nothing, so that the same lines may be sent
 * again after an interruption. A trial says what would become of each line, and adds none. Others are told of none of these accounts: their events would hold up every mail.
 */
export async function importAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  lines: AsyncIterable<Line>,
  by: { actor: Actor; origin: Origin; isTrial?: boolean },
): Promise<Import> {
  const outcome: Import = {
    imported: 0,
    skipped: 0,
    failed: 0,
    failures: [],
    lastLine: 0,
    interruption: undefined,
  };
  const trial = by.isTrial === true ? new Set<string>() : undefined;
  let batch: Line[] = [];
  const flush = async (): Promise<void> => {
    await importBatch(deps, batch, outcome, { ...by, trial });
    outcome.lastLine = batch.at(-1)?.number ?? outcome.lastLine;
    batch = [];
  };
  try {
    for await (const line of lines) {
      batch.push(line);
      if (batch.length === BATCH) await flush();
    }
    await flush();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcome.interruption = error;
  }
  return outcome;
}

async function importBatch(
  { db }: Pick<AccountsDeps, 'db'>,
  batch: readonly Line[],
  outcome: Import,
  { actor, origin, trial }: { actor: Actor; origin: Origin; trial: Set<string> | undefined },
): Promise<void> {
  const rows = new Map<string, ImportedAccount>();
  const keys = batch.map((line) => {
    if (line.kind === 'fault') return undefined;
    const row = rowOf(line.value);
    if (rows.has(row.emailKey)) return undefined;
    rows.set(row.emailKey, row);
    return row.emailKey;
  });
  const added = rows.size === 0 ? new Set<string>() : await (trial === undefined ? insert() : tryOut(trial));
  batch.forEach((line, at) => {
    if (line.kind === 'fault')
      note(outcome, { line: line.number, code: 'invalid_line', message: line.fault });
    else if (!added.has(keys[at] ?? '')) note(outcome, { line: line.number, ...TAKEN });
  });
  outcome.imported += added.size;

  /** What `insert` would add, also after what it would have added before. */
  async function tryOut(tried: Set<string>): Promise<Set<string>> {
    const taken = new Set(await accountImport.findTaken(db, [...rows.keys()]));
    const fresh = [...rows.keys()].filter((key) => !taken.has(key) && !tried.has(key));
    if (tried.size < TRIED_MAX) for (const key of fresh) tried.add(key);
    return new Set(fresh);
  }

  function insert(): Promise<Set<string>> {
    return inTransaction(db, origin, async (tx) => {
      const inserted = new Set(await accountImport.insertMany(tx, [...rows.values()]));
      if (inserted.size > 0) await audit.append(tx, entriesFor(inserted), origin);
      return inserted;
    });
  }

  /** One for all of them, and one for each who was given rights: who is an administrator is never lost in a number. */
  function entriesFor(inserted: ReadonlySet<string>): AuditEntry[] {
    const entry = { action: 'account.imported', actor } as const;
    const administrators = [...rows.values()].filter(
      ({ emailKey: key, role }) => role === 'Admin' && inserted.has(key),
    );
    return [
      { ...entry, target: { kind: 'Account', id: undefined }, details: { Imported: inserted.size } },
      ...administrators.map(({ id, role }): AuditEntry => ({
        ...entry,
        target: { kind: 'Account', id },
        details: { Role: role },
      })),
    ];
  }
}

const TAKEN = { code: 'email_taken', message: '/Email already has an account' } as const;

function rowOf({ Email: typed, DisplayName: displayName, Role, PasswordHash }: Static<typeof ImportLine>) {
  // The line's check has let only addresses through.
  const email = normalizeEmail(typed) ?? typed;
  const role = Role ?? 'User';
  return { id: newId(), email, emailKey: emailKey(email), displayName, role, passwordHash: PasswordHash };
}

function note(outcome: Import, failure: Failure): void {
  const count = failure.code === 'email_taken' ? (outcome.skipped += 1) : (outcome.failed += 1);
  if (count <= LISTED_MAX) outcome.failures.push(failure);
}
