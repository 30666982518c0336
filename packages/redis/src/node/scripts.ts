import { LRUCache } from 'lru-cache';
import { decode, encode, keyOf, withOverwritten, type CachedSession } from '../session/cached-session.ts';
import { UNAUTHENTICATED_LENGTH, type SessionMacs } from '../session/session-macs.ts';

/**
 * Returns the server’s time and each value as it was before the call. Marks active sessions as seen now, unless they
 * were idle for too long; time and content have fixed positions in the value (see cached-session.ts).
 */
export const READ = `
local now = tonumber(redis.call('TIME')[1])
local idle = tonumber(ARGV[1])
local reply = { now }
for i, key in ipairs(KEYS) do
  local value = redis.pcall('GET', key)
  if type(value) ~= 'string' then value = false end
  reply[i + 1] = value
  local mark = ARGV[i + 1]
  if value and mark ~= '' and string.byte(value, 45) == 65 then
    local seen = tonumber(string.sub(value, 1, 10))
    if seen and now <= seen + idle and now >= seen then
      local seenNow = string.format('%010d', now)
      redis.call('SETRANGE', key, 0, mark == '+' and seenNow or (seenNow .. ' ' .. seenNow .. ' ' .. mark))
      redis.call('EXPIRE', key, idle + 60)
    end
  end
end
return reply`;

/**
 * Writes each value, unless a copy has a later version, or the same and was seen no earlier; later times of activity
 * stay. A copy without a valid MAC (the part that pings do not overwrite) is replaced in any case, as the source was
 * read since. A value without a MAC does not replace the rest of a copy of its version, whose MAC may be valid.
 */
export const WRITE = `
for i, key in ipairs(KEYS) do
  local version = tonumber(ARGV[4 * i - 2])
  local value = ARGV[4 * i - 1]
  local hasMac = ARGV[4 * i] == '1'
  local rejected = ARGV[4 * i + 1]
  local old = redis.pcall('GET', key)
  local oldVersion
  if type(old) == 'string' and (rejected == '' or string.sub(old, 45) ~= rejected) then
    oldVersion = tonumber(string.match(old, ' (%d+) ', 46) or '')
  end
  local newer = true
  if oldVersion then
    local seenLater = string.sub(value, 1, 10) > string.sub(old, 1, 10)
    newer = version > oldVersion or (version == oldVersion and seenLater)
    local seen = string.sub(seenLater and value or old, 1, 10)
    local pingedLater = string.sub(value, 12, 21) > string.sub(old, 12, 21)
    local rest = string.sub((version > oldVersion or hasMac) and value or old, 45)
    value = seen .. string.sub(pingedLater and value or old, 11, 44) .. rest
  end
  if newer then redis.call('SET', key, value, 'EX', ARGV[1]) end
end
return 1`;

export interface CacheRead {
  accountId: string;
  sessionId: string;
  /** Empty to only read; `+` to also store the time; otherwise the content to store with the time. */
  mark: string;
}

/** What was found for each session, and the server’s time; `undefined` if the server could not be asked. */
export type Reply = { nowSeconds: number; found: Found[] } | undefined;

/** The copies without a valid MAC, by session; they are replaced with the source's session. */
export type Rejected = ReadonlyMap<string, string>;

/** Builds the arguments of the scripts that read and write copies, and reads their answers. */
export function createScriptArguments(macs: SessionMacs, idleSeconds: number) {
  const copies = createCopyReader(macs);
  const idle = String(idleSeconds);
  const expiry = String(idleSeconds + 60);

  const readArguments = (fence: string, reads: readonly CacheRead[]): [number, ...string[]] => [
    reads.length,
    ...reads.map((one) => copies.keyOf(fence, one.accountId, one.sessionId)),
    idle,
    ...reads.map((one) => one.mark),
  ];
  const writeArguments = (
    fence: string,
    sessions: readonly CachedSession[],
    rejected: Rejected,
  ): [number, ...string[]] => {
    const keys = sessions.map((session) => keyOf(fence, session.accountId, session.sessionId));
    const values = sessions.flatMap((session, index) => [
      String(session.version),
      macs.seal(keys[index] ?? '', session.role, encode(session)),
      macs.vouchesFor(session.role) ? '1' : '',
      rejected.get(session.sessionId) ?? '',
    ]);
    return [sessions.length, ...keys, expiry, ...values];
  };

  /** The server’s answer to a call with this fence and these arguments. */
  const replyOf = (fence: string, reads: readonly CacheRead[], asked: readonly unknown[], words: unknown) => {
    if (words === undefined) return undefined;
    const [nowSeconds, ...values] = words as [number, ...(string | null)[]]; // what the script returns
    const found = reads.map(({ accountId, sessionId }, index) =>
      // The first argument is the number of keys.
      copies.read(values[index], { fence, key: String(asked[index + 1]), accountId, sessionId }),
    );
    return { nowSeconds, found };
  };

  return { readArguments, writeArguments, replyOf };
}

/** What Redis contains for a session: nothing, a genuine copy, or one without a valid MAC. */
interface Found {
  session?: CachedSession;
  /** The lasting part of a copy without a valid MAC; `write` replaces a copy with exactly this. */
  rejected?: string;
}

/** The latest genuine copy of a session. */
interface Known {
  fence: string;
  accountId: string;
  key: string;
  /** The part of the copy that pings do not overwrite. */
  facts: string;
  session: CachedSession;
}

/** The latest genuine copy of a key is not verified or parsed again until it changes; its key is built once. */
export function createCopyReader(macs: SessionMacs) {
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX });

  return {
    keyOf(fence: string, accountId: string, sessionId: string): string {
      const latest = known.get(sessionId);
      return latest?.fence === fence && latest.accountId === accountId
        ? latest.key
        : keyOf(fence, accountId, sessionId);
    },

    read(
      value: string | null | undefined,
      at: { fence: string; key: string; accountId: string; sessionId: string },
    ): Found {
      if (value == null) return {};
      const { fence, key, accountId, sessionId } = at;
      const facts = value.slice(UNAUTHENTICATED_LENGTH);
      const latest = known.peek(sessionId);
      const isKnown = latest?.facts === facts && latest.key === key;
      const session = isKnown ? withOverwritten(value, latest.session) : decode(value, accountId, sessionId);
      if (session === undefined) return { rejected: facts };
      if (!isKnown) {
        if (!macs.isGenuine(key, session.role, value)) return { rejected: facts };
        known.set(sessionId, { fence, accountId, key, facts, session });
      }
      return { session };
    },
  };
}

/** A few megabytes. Copies of further sessions are verified for each read. */
const KNOWN_MAX = 20_000;
