import type { Keys } from '@gatehouse/auth-core';
import { findMigrations, findServerVersion, mailDeliveries, outbox, type Backlog } from '@gatehouse/db';
import type { QueueDepth } from '@gatehouse/events';
import type { Evictions } from '@gatehouse/redis';
import type { AccountsDeps } from '../deps.ts';

/** The state of an installation, as seen by one service. */
export interface SystemState {
  migrations: { applied: string[]; missing: string[] };
  keys: { kid: string; issuedAt: number; signsFrom: number; signs: boolean }[];
  dependencies: { name: string; isReachable: boolean; version?: string | undefined }[];
  /** `undefined` if the broker did not report it. */
  queues: QueueDepth[] | undefined;
  /** `undefined` if Redis did not report it. */
  evictions: Evictions | undefined;
  outbox: Backlog;
  mails: Backlog;
  /** When a mail server last accepted a mail, if recorded. */
  lastSentAt: Date | null;
  /** The error of the oldest mail that is being retried. */
  lastError: string | null;
}

/** Rows are counted up to this number. */
const COUNT_MAX = 100_000;
/** How long a dependency may take to answer. */
const PROBE_MS = 1000;

/** The states that servers report; each function fails if its server does not answer. */
export interface ServerReadings {
  queueDepths: () => Promise<QueueDepth[]>;
  evictions: () => Promise<Evictions>;
}

/**
 * Reads the state of the installation. Servers that cannot be reached are reported as such; Postgres must be available.
 */
export async function findSystemState({
  db,
  keys,
  probes,
  readings,
  now,
}: Pick<AccountsDeps, 'db' | 'now'> & {
  keys: Keys;
  probes: Readonly<Record<string, () => Promise<unknown>>>;
  readings: ServerReadings;
}): Promise<SystemState> {
  const others = Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const isReachable = (await inTime(async () => (await probe(), true))) ?? false;
      return { name, isReachable };
    }),
  );
  const readingQueues = inTime(readings.queueDepths);
  const readingEvictions = inTime(readings.evictions);
  const version = await findServerVersion(db);
  const migrations = await findMigrations(db);
  const waiting = await outbox.backlog(db, COUNT_MAX);
  const mails = await mailDeliveries.backlog(db, COUNT_MAX);
  const { lastSentAt, lastError } = await mailDeliveries.findLatest(db);
  return {
    migrations,
    keys: shownKeys(keys, now()),
    dependencies: [{ name: 'postgres', isReachable: true, version }, ...(await others)],
    queues: await readingQueues,
    evictions: await readingEvictions,
    outbox: waiting,
    mails,
    lastSentAt,
    lastError,
  };
}

/** The keys; the newest key that may already sign is the signing key. */
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

/** The answer of a server; `undefined` if it fails or is late. */
async function inTime<T>(ask: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PROBE_MS);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
