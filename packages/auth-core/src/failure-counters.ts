import type { Log } from '@gatehouse/runtime';
import { scriptsOn, type RedisServers } from './redis.ts';

/** Whether an attempt may go on; `wait` when checks under way must be decided first. */
export type Admission = { admitted: true } | { admitted: false; wait: boolean; retryAfterSeconds: number };

export type FailureCounters = ReturnType<typeof createFailureCounters>;

/**
 * Counts failures (wrong passwords, wrong codes) by address over a window. An attempt counts as one before its
 * check, so that a burst cannot slip under the bound, and stops counting once it has succeeded. Without Redis
 * each process counts for itself, with a quarter of the bound.
 */
export function createFailureCounters(options: {
  /** Keeps what it counts apart from what others count. */
  name: string;
  redis: RedisServers;
  failuresMax: number;
  windowSeconds: number;
  log: Log;
  /** Told of each attempt that was counted in this process alone. */
  onLocal?: () => void;
}) {
  const { name, redis, failuresMax, windowSeconds, log, onLocal } = options;
  const scriptsFor = scriptsOn(redis, { admitAttempt: ADMIT, settleAttempt: SETTLE });
  const local = new Map<string, { failures: number; endsAt: number }>();
  let warnAgainAt = 0;

  /** Once a minute: a flood of attempts must not become a flood of lines. */
  function warn(error: unknown): void {
    onLocal?.();
    const now = Date.now();
    if (now < warnAgainAt) return;
    warnAgainAt = now + WARN_MS;
    log.warn('counting failures in this process alone, with a quarter of the bound', {
      counter: name,
      error,
    });
  }

  function admitLocally(address: string): Admission {
    const now = Date.now();
    if (local.size > 10_000) local.clear();
    const entry = local.get(address);
    const current =
      entry !== undefined && entry.endsAt > now ? entry : { failures: 0, endsAt: now + windowSeconds * 1000 };
    local.set(address, current);
    if (current.failures >= failuresMax / 4) {
      return { admitted: false, wait: false, retryAfterSeconds: Math.ceil((current.endsAt - now) / 1000) };
    }
    current.failures += 1;
    return { admitted: true };
  }

  return {
    /** Asks for one attempt from an address; every admitted one must be settled. */
    async admit(address: string): Promise<Admission> {
      try {
        const [state, seconds] = (await scriptsFor(address).admitAttempt(
          2,
          ...keysOf(name, address),
          String(failuresMax),
          String(windowSeconds),
        )) as [number, number];
        return state === 1
          ? { admitted: true }
          : { admitted: false, wait: state === 2, retryAfterSeconds: seconds };
      } catch (error) {
        warn(error);
        return admitLocally(address);
      }
    },

    /** Says how an admitted attempt ended. */
    async settle(address: string, failed: boolean): Promise<void> {
      try {
        const scripts = scriptsFor(address);
        await scripts.settleAttempt(2, ...keysOf(name, address), failed ? '1' : '0', String(windowSeconds));
      } catch {
        const entry = local.get(address);
        if (!failed && entry !== undefined && entry.failures > 0) entry.failures -= 1;
      }
    },
  };
}

const WARN_MS = 60_000;

function keysOf(name: string, address: string): [string, string] {
  return [`${name}:{${address}}:failed`, `${name}:{${address}}:checking`];
}

// Checks under way expire on their own, should their process die: 10 s is longer than any request may take.
const ADMIT = `
local max = tonumber(ARGV[1])
local failed = tonumber(redis.call('GET', KEYS[1]) or '0')
if failed >= max then
  return { 0, math.max(1, redis.call('TTL', KEYS[1])) }
end
local checking = tonumber(redis.call('GET', KEYS[2]) or '0')
if failed + checking >= max then return { 2, 1 } end
redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], 10)
return { 1, 0 }`;

const SETTLE = `
if tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then redis.call('DECR', KEYS[2]) end
if ARGV[1] == '1' and redis.call('INCR', KEYS[1]) == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return 1`;
