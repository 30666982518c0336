import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { countedFor, type Log } from '@gatehouse/runtime';
import { scriptsOn, type RedisServers } from '@gatehouse/redis';

/**
 * Whether an attempt is admitted; `wait` if checks in progress must be settled first. An admitted attempt must be
 * settled: with whether it failed and, if applicable, the account or other subject of the secret.
 */
export type Admission =
  | { admitted: true; settle: (failed: boolean, about?: string) => Promise<void> }
  | { admitted: false; wait: boolean; retryAfterSeconds: number };

export type FailureCounters = ReturnType<typeof createFailureCounters>;

/** An office or a household rarely fails for this many accounts within a window. */
export const SUBJECTS_MANY = 20;

interface FailureCounterOptions {
  /** Separates its counts from those of other counters. */
  name: string;
  redis: RedisServers;
  failuresMax: number;
  windowSeconds: number;
  /** The maximum duration of a check: longer than the time limit of any request. */
  checkSeconds?: number;
  log: Log;
  /** Called for each attempt that was counted only in this process. */
  onLocal?: () => void;
  /** Called once per window for an address whose failures concern `SUBJECTS_MANY` accounts. */
  onManySubjects?: (address: string) => void;
}

/**
 * Counts failures (wrong passwords, wrong codes) by address over a window. An attempt counts from before its check, so
 * that a burst cannot exceed the limit, and no longer counts once it has succeeded. The check of a process that died
 * expires by itself. Without Redis each process counts for itself, with a quarter of the limit.
 */
export function createFailureCounters(options: FailureCounterOptions) {
  const { name, redis, failuresMax, windowSeconds, checkSeconds = 10, onLocal, onManySubjects } = options;
  const scriptsFor = scriptsOn(redis, { admitAttempt: ADMIT, settleAttempt: SETTLE });
  const local = createLocalFailures({ windowSeconds });
  const warnOfOutage = createOutageWarning(options.log, name);

  function warn(error: unknown): void {
    onLocal?.();
    warnOfOutage(error);
  }

  function addLocalSubject(address: string, about: string | undefined): void {
    if (about === undefined) return;
    if (local.addSubject(address, hashOf(about)) === SUBJECTS_MANY) onManySubjects?.(address);
  }

  async function settle(address: string, check: string, failed: boolean, about?: string): Promise<void> {
    // Those that Redis may have missed: it then has all of them again.
    const missed = failed ? local.takeSubjects(address) : [];
    const subjects = about === undefined ? missed : [...missed, hashOf(about)];
    try {
      const args = [check, failed ? '1' : '0', String(windowSeconds), String(missed.length), ...subjects];
      const counts = await scriptsFor(address).settleAttempt(3, ...keysOf(name, address), ...args);
      if (reachesMany(counts as [number, number], missed.length)) onManySubjects?.(address);
    } catch (error) {
      for (const subject of missed) local.addSubject(address, subject);
      if (!failed) return;
      warn(error);
      local.add(address);
      addLocalSubject(address, about);
    }
  }

  async function admitOne({ whose, max }: { whose: string; max: number }): Promise<Admission> {
    const check = randomUUID();
    try {
      const [state, seconds] = (await scriptsFor(whose).admitAttempt(
        3,
        ...keysOf(name, whose),
        check,
        String(max),
        String(checkSeconds * 1000),
      )) as [number, number];
      return state === 1
        ? { admitted: true, settle: (failed, about) => settle(whose, check, failed, about) }
        : { admitted: false, wait: state === 2, retryAfterSeconds: seconds };
    } catch (error) {
      warn(error);
      return admitLocally(local, { whose, max: Math.ceil(max / 4) }, addLocalSubject);
    }
  }

  return {
    /** Requests one attempt for an address group (`countedFor`); every admitted attempt must be settled. */
    admit: (group: string): Promise<Admission> => admitAll(countedFor(group, failuresMax), admitOne),
  };
}

/** Admits an attempt if each of these does; it is settled for all of them. */
async function admitAll<T>(
  limits: readonly T[],
  admitOne: (limit: T) => Promise<Admission>,
): Promise<Admission> {
  const admitted: Extract<Admission, { admitted: true }>[] = [];
  const settle = async (failed: boolean, about?: string): Promise<void> => {
    // Many people share a network, and fail for many accounts.
    await Promise.all(admitted.map((one, at) => one.settle(failed, at === 0 ? about : undefined)));
  };
  for (const limit of limits) {
    const admission = await admitOne(limit);
    if (!admission.admitted) {
      await settle(false);
      return admission;
    }
    admitted.push(admission);
  }
  return { admitted: true, settle };
}

/** Whether these subjects are the ones that reach the limit. If as many were missed, they were reported without Redis. */
function reachesMany([before, after]: [number, number], missed: number): boolean {
  return missed < SUBJECTS_MANY && before < SUBJECTS_MANY && after >= SUBJECTS_MANY;
}

/** Used while Redis does not respond: counts only in this process. */
function admitLocally(
  local: ReturnType<typeof createLocalFailures>,
  { whose, max }: { whose: string; max: number },
  addSubject: (address: string, about: string | undefined) => void,
): Admission {
  const full = local.take(whose, max);
  if (full !== undefined) return { admitted: false, wait: false, ...full };
  const settle = (failed: boolean, about?: string): Promise<void> => {
    if (!failed) local.takeBack(whose);
    else addSubject(whose, about);
    return Promise.resolve();
  };
  return { admitted: true, settle };
}

const WARN_MS = 60_000;

/** At most once a minute: many attempts must not become many log lines. */
function createOutageWarning(log: Log, counter: string): (error: unknown) => void {
  let warnAgainAt = 0;
  return (error) => {
    const now = Date.now();
    if (now < warnAgainAt) return;
    warnAgainAt = now + WARN_MS;
    log.warn('redis unavailable, counting failures in this process with a quarter of the limit', {
      counter,
      error,
    });
  };
}

/** All have the same hash tag, so that a cluster stores them on one node. */
function keysOf(name: string, address: string): [failed: string, checks: string, subjects: string] {
  const own = `${name}:{${address}}`;
  return [`${own}:failed`, `${own}:checks`, `${own}:subjects`];
}

/** Redis contains no emails, and a subject of any length needs the same space. */
function hashOf(about: string): string {
  return createHash('sha256').update(about).digest('base64url').slice(0, 16);
}

// The checks in progress, sorted by expiry: the check of a process that died expires by itself, however busy the
// address is.
const ADMIT = `
local max = tonumber(ARGV[2])
local failed = tonumber(redis.call('GET', KEYS[1]) or '0')
if failed >= max then
  return { 0, math.max(1, redis.call('TTL', KEYS[1])) }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if failed + redis.call('ZCARD', KEYS[2]) >= max then return { 2, 1 } end
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return { 1, 0 }`;

// Returns the number of subjects before and after these are added. An address has at most as many as failures. The missed
// ones, the first of these, do not count as before: Redis may have added one although its answer was lost.
const SETTLE = `
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] ~= '1' then return { 0, 0 } end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
local before = redis.call('SCARD', KEYS[3])
local isNew = before == 0
for at = 5, #ARGV do
  if redis.call('SADD', KEYS[3], ARGV[at]) == 0 and at < 5 + ARGV[4] then before = before - 1 end
end
local after = redis.call('SCARD', KEYS[3])
if isNew and after > 0 then redis.call('EXPIRE', KEYS[3], ARGV[3]) end
return { before, after }`;

interface Entry {
  failures: number;
  subjects: Set<string>;
}

/** The maximum number of addresses; beyond it the one that was seen longest ago is dropped. */
const ADDRESSES_MAX = 10_000;
/** The maximum number of subjects of one address, more than cause a warning. */
const SUBJECTS_MAX = 100;

function createLocalFailures({ windowSeconds }: { windowSeconds: number }) {
  const entries = new LRUCache<string, Entry>({ max: ADDRESSES_MAX, ttl: windowSeconds * 1000 });

  function entryOf(address: string): Entry {
    const known = entries.get(address);
    if (known !== undefined) return known;
    const entry = { failures: 0, subjects: new Set<string>() };
    entries.set(address, entry);
    return entry;
  }

  return {
    /** Counts a failure. If the limit is reached, it returns the seconds until the window ends instead. */
    take(address: string, failuresMax: number): { retryAfterSeconds: number } | undefined {
      const entry = entryOf(address);
      if (entry.failures >= failuresMax)
        return { retryAfterSeconds: Math.max(1, Math.ceil(entries.getRemainingTTL(address) / 1000)) };
      entry.failures += 1;
      return undefined;
    },

    /** Counts a failure regardless of the limit. */
    add(address: string): void {
      entryOf(address).failures += 1;
    },

    takeBack(address: string): void {
      const entry = entries.get(address);
      if (entry !== undefined && entry.failures > 0) entry.failures -= 1;
    },

    /** The number of different subjects of the address's failures if this one is new, otherwise 0. */
    addSubject(address: string, subject: string): number {
      const { subjects } = entryOf(address);
      if (subjects.has(subject) || subjects.size >= SUBJECTS_MAX) return 0;
      return subjects.add(subject).size;
    },

    takeSubjects(address: string): string[] {
      const entry = entries.get(address);
      if (entry === undefined) return [];
      const taken = [...entry.subjects];
      entry.subjects.clear();
      return taken;
    },
  };
}
