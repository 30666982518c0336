import type { Keys } from '@gatehouse/auth-core';
import {
  findMigrations,
  findServerVersion,
  mailAdmin,
  mailDeliveries,
  outbox,
  type Backlog,
} from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** How an installation stands, as one service of it sees it. */
export interface SystemState {
  migrations: { applied: string[]; missing: string[] };
  keys: { kid: string; issuedAt: number; signsFrom: number; signs: boolean }[];
  dependencies: { name: string; isReachable: boolean; version?: string | undefined }[];
  outbox: Backlog;
  mails: Backlog;
  /** When a mail server last took a mail, as far as that is on record. */
  lastSentAt: Date | null;
  /** Why the oldest mail that is tried again was not sent. */
  lastError: string | null;
}

/** So far is counted. */
const COUNT_MAX = 100_000;
/** How long a dependency may take to say that it is there. */
const PROBE_MS = 1000;

/** Looks how the installation stands. What cannot be reached is said to be so; Postgres has to be there. */
export async function findSystemState({
  db,
  keys,
  probes,
  now,
}: Pick<AccountsDeps, 'db' | 'now'> & {
  keys: Keys;
  probes: Readonly<Record<string, () => Promise<unknown>>>;
}): Promise<SystemState> {
  const others = Promise.all(
    Object.entries(probes).map(async ([name, probe]) => ({ name, isReachable: await answers(probe) })),
  );
  const version = await findServerVersion(db);
  const migrations = await findMigrations(db);
  const waiting = await outbox.backlog(db, COUNT_MAX);
  const mails = await mailDeliveries.backlog(db, COUNT_MAX);
  const { lastSentAt, lastError } = await mailAdmin.findLatest(db);
  return {
    migrations,
    keys: shownKeys(keys, now()),
    dependencies: [{ name: 'postgres', isReachable: true, version }, ...(await others)],
    outbox: waiting,
    mails,
    lastSentAt,
    lastError,
  };
}

/** The newest that may sign does. */
function shownKeys(keys: Keys, nowMs: number): SystemState['keys'] {
  const all = [...keys.current().values()];
  const signing = all.findLast(({ signsFrom }) => signsFrom * 1000 <= nowMs) ?? all[0];
  return all.map((key) => ({
    kid: key.kid,
    issuedAt: key.issuedAt,
    signsFrom: key.signsFrom,
    signs: key === signing,
  }));
}

async function answers(probe: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_MS);
  });
  try {
    return await Promise.race([probe().then(() => true), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
