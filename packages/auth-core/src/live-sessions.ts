import type { Log } from '@gatehouse/runtime';
import { createCircuit } from './circuit.ts';
import { decode, encode, keyOf, NO_CONTENT, packUuid, type LiveSession } from './live-copy.ts';
import { withScripts, type Redis } from './redis.ts';
import { hasLapsed, refusalOf } from './standing.ts';
import { isActive } from './statuses.ts';

/** Where sessions are kept for good, and what the live copies fall back on. */
export interface SessionSource {
  /** The sessions as they stand; those that do not exist are left out. */
  load(sessionIds: readonly string[]): Promise<LiveSession[]>;
  /** Writes again every live copy that may not have reached Redis, and forgets about them. */
  catchUp(write: (sessions: readonly LiveSession[]) => Promise<void>): Promise<void>;
}

/** When a session was last seen, on its way back to the source. */
export interface Sighting {
  sessionId: string;
  seenAtSeconds: number;
  /** Of the latest ping; 0 when there was none. */
  pingedAtSeconds: number;
  contentDefinitionId: string | undefined;
}

/** A session as it stands, with the time by the clock of where it was read (epoch seconds). */
export interface Reading {
  session: LiveSession;
  nowSeconds: number;
}

export type LiveSessions = ReturnType<typeof createLiveSessions>;

/**
 * The live copies of sessions in Redis, which every request reads. All requests of one turn of the event loop
 * share one round trip. What Redis does not know is read from the source and put back; while Redis does not
 * answer, the source is read instead.
 */
export function createLiveSessions(options: {
  redis: Redis;
  source: SessionSource;
  idleSeconds: number;
  log: Log;
}) {
  const { redis, source, idleSeconds, log } = options;
  const scripts = withScripts(redis, { readSessions: READ, writeSessions: WRITE });
  let sightings = new Map<string, Sighting>();
  let waiting: Waiting[] = [];

  const circuit = createCircuit({
    redis,
    log,
    recover: (fence) => source.catchUp((sessions) => writeTo(fence, sessions)),
  });

  async function writeTo(fence: string, sessions: readonly LiveSession[]): Promise<void> {
    for (let at = 0; at < sessions.length; at += BATCH_MAX) {
      const part = sessions.slice(at, at + BATCH_MAX);
      const values = part.flatMap((session) => [String(session.version), encode(session)]);
      await scripts.writeSessions(
        part.length,
        ...part.map((session) => keyOf(fence, session.accountId, session.sessionId)),
        String(idleSeconds + 60),
        ...values,
      );
    }
  }

  function enqueue(accountId: string, sessionId: string, mark: string): Promise<Reading | undefined> {
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ accountId, sessionId, mark, resolve, reject });
    });
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += BATCH_MAX) void answer(all.slice(at, at + BATCH_MAX));
  }

  async function answer(batch: Waiting[]): Promise<void> {
    const fence = circuit.readFence();
    try {
      const missing = fence === undefined ? batch : await readFromRedis(fence, batch);
      if (missing.length > 0) await readFromSource(missing);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Answers what Redis knows and returns the rest. */
  async function readFromRedis(fence: string, batch: Waiting[]): Promise<Waiting[]> {
    let now: number;
    let values: (string | null)[];
    try {
      [now, ...values] = (await scripts.readSessions(
        batch.length,
        ...batch.map((one) => keyOf(fence, one.accountId, one.sessionId)),
        String(idleSeconds),
        ...batch.map((one) => one.mark),
      )) as [number, ...(string | null)[]];
    } catch (error) {
      circuit.open(error);
      return batch;
    }
    const missing: Waiting[] = [];
    batch.forEach((one, index) => {
      const value = values[index];
      const session = value == null ? undefined : decode(value, one.accountId, one.sessionId);
      // The source may know of activity that Redis missed: nobody is logged out on the copy's word alone.
      const seemsLapsed =
        session !== undefined && isActive(session.status) && hasLapsed(session, now, idleSeconds);
      if (session === undefined || seemsLapsed) missing.push(one);
      else one.resolve({ session, nowSeconds: now });
    });
    return missing;
  }

  async function readFromSource(batch: Waiting[]): Promise<void> {
    const found = await source.load([...new Set(batch.map((one) => one.sessionId))]);
    const byId = new Map(found.map((session) => [session.sessionId, session]));
    for (const one of batch) {
      const session = byId.get(one.sessionId);
      const fits = session !== undefined && session.accountId === one.accountId;
      one.resolve(fits ? { session, nowSeconds: session.readAtSeconds } : undefined);
    }
    await write(found);
  }

  async function write(sessions: readonly LiveSession[]): Promise<void> {
    const fence = circuit.writeFence();
    if (fence === undefined || sessions.length === 0) return;
    await writeTo(fence, sessions).catch((error: unknown) => circuit.open(error));
  }

  return {
    /** The session as it stands; `undefined` when there is none of that account and id. */
    read: (accountId: string, sessionId: string) => enqueue(accountId, sessionId, ''),

    /** Reads the session as it stood and, when it is alive, marks it as seen now (watching that content). */
    async touch(accountId: string, sessionId: string, contentDefinitionId?: string) {
      const mark = contentDefinitionId === undefined ? NO_CONTENT : packUuid(contentDefinitionId);
      const reading = await enqueue(accountId, sessionId, mark);
      if (reading !== undefined && refusalOf(reading, idleSeconds) === undefined) {
        const seenAtSeconds = reading.nowSeconds;
        sightings.set(sessionId, {
          sessionId,
          seenAtSeconds,
          pingedAtSeconds: seenAtSeconds,
          contentDefinitionId,
        });
      }
      return reading;
    },

    /** Marks a session as seen now, by other means than a ping: what it is watching stays as it is. */
    async keepAlive(accountId: string, sessionId: string): Promise<void> {
      if (circuit.readFence() !== undefined) await enqueue(accountId, sessionId, '+');
    },

    /**
     * Publishes sessions after the commit that changed them. A copy of a later version is left alone. A failure
     * is no error of the caller's: the relay writes again what did not arrive.
     */
    write,

    /** The relay's turn: writes again what the source says may be missing. */
    async catchUp(): Promise<void> {
      const fence = circuit.readFence();
      if (fence !== undefined) await source.catchUp((sessions) => writeTo(fence, sessions));
    },

    /** Gives the sightings gathered since the last call to the source; they are kept should it fail. */
    async flushSightings(save: (sightings: readonly Sighting[]) => Promise<void>): Promise<void> {
      const taken = sightings;
      if (taken.size === 0) return;
      sightings = new Map();
      try {
        await save([...taken.values()]);
      } catch (error) {
        sightings = new Map([...taken, ...sightings]);
        throw error;
      }
    },

    /** Whether Redis answers and is trusted. */
    isConnected: () => circuit.readFence() !== undefined,

    close: () => circuit.close(),
  };
}

interface Waiting {
  accountId: string;
  sessionId: string;
  /** Empty for a read alone, else the content to note beside the time. */
  mark: string;
  resolve: (reading: Reading | undefined) => void;
  reject: (error: unknown) => void;
}

/** Keeps one script call short; Redis serves nobody else meanwhile. */
const BATCH_MAX = 256;

/**
 * Returns the server's time and each value as it stood. A marked, active session that is not idle for too long
 * is seen now: the time and the content stand at fixed places of the value (see live-copy.ts).
 */
const READ = `
local now = tonumber(redis.call('TIME')[1])
local idle = tonumber(ARGV[1])
local reply = { now }
for i, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  reply[i + 1] = value
  local mark = ARGV[i + 1]
  if value and mark ~= '' and string.byte(value, 45) == 65 then
    local seen = tonumber(string.sub(value, 1, 10))
    if now < seen + idle and now >= seen then
      local seenNow = string.format('%010d', now)
      redis.call('SETRANGE', key, 0, mark == '+' and seenNow or (seenNow .. ' ' .. seenNow .. ' ' .. mark))
      redis.call('EXPIRE', key, idle + 60)
    end
  end
end
return reply`;

/** Writes each value unless a copy of the same or a later version stands there; the later sighting is kept. */
const WRITE = `
for i, key in ipairs(KEYS) do
  local version = tonumber(ARGV[2 * i])
  local value = ARGV[2 * i + 1]
  local old = redis.call('GET', key)
  local newer = true
  if old then
    local oldVersion = tonumber(string.match(old, ' (%d+) ', 46))
    local seenLater = string.sub(value, 1, 10) > string.sub(old, 1, 10)
    newer = version > oldVersion or (version == oldVersion and seenLater)
    local seen = string.sub(seenLater and value or old, 1, 10)
    local pingedLater = string.sub(value, 12, 21) > string.sub(old, 12, 21)
    value = seen .. string.sub(pingedLater and value or old, 11, 44) .. string.sub(value, 45)
  end
  if newer then redis.call('SET', key, value, 'EX', ARGV[1]) end
end
return 1`;
