import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { StaticTokenRole } from '@gatehouse/schema';
import { addressRanges, createGathered, withinRanges } from '@gatehouse/runtime';
import type { Caller, Refusal } from '../caller.ts';
import { isSecretText, newSecretText } from './secret-text.ts';

/** The prefix of static API tokens, so that people, logs and secret scanners recognize them. */
export const STATIC_TOKEN_PREFIX = 'sat_';

/** A valid static API token, as it is stored. */
export interface KnownToken {
  id: string;
  hash: Buffer;
  role: StaticTokenRole;
  /** Addresses and CIDR ranges from which it is accepted; null: from anywhere. */
  networks: readonly string[] | null;
  /** Whether it has networks or an expiry. */
  isRestricted: boolean;
}

export interface TokenUse {
  at: Date;
  address: string | undefined;
}

/** Finds the stored tokens with these hashes that are neither revoked nor expired. */
export type StaticTokenSource = (hashes: readonly Buffer[]) => Promise<KnownToken[]>;

export type StaticTokens = ReturnType<typeof createStaticTokens>;

/**
 * Static API tokens: `sat_` and a random secret (`newSecretText`). Only an HMAC of each is stored: a copy of the database gives no access, and neither does a row that is added without the key. Tokens are found by that
 * keyed hash, so the time of a comparison reveals nothing about a token.
 *
 * A result of the source is valid for half a second from when it was requested. A revoked token may keep working for
 * that long in every process, and a busy token costs the source two queries a second.
 */
export function createStaticTokens(options: {
  key: Buffer;
  source: StaticTokenSource;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}) {
  const key = createSecretKey(options.key);
  const hashOf = (token: string) => createHmac('sha256', key).update(token);
  const lookups = createLookups<KnownToken & { isFrom: ReturnType<typeof networkCheck> }>({
    find: async (digests) => {
      const found = await options.source(digests.map((digest) => Buffer.from(digest, 'base64')));
      return new Map(
        found.map((token) => [
          token.hash.toString('base64'),
          { ...token, isFrom: networkCheck(token.networks) },
        ]),
      );
    },
    freshMs: FRESH_MS,
    max: MEMORY_MAX,
    ...(options.now && { now: options.now }),
  });
  const uses = createGathered<string, TokenUse>();

  const callerOf = (
    token: Awaited<ReturnType<typeof lookups.get>>,
    address: string | undefined,
  ): Caller | Refusal => {
    if (token === undefined || !token.isFrom(address)) return INVALID;
    uses.add(token.id, { at: new Date(), address });
    const { id: tokenId, role, isRestricted } = token;
    return { kind: 'service', tokenId, role, ...(isRestricted && { isRestricted }) };
  };

  return {
    /** Creates a token, which is shown once, and what is stored of it: its hash and its first characters. */
    issue(): { token: string; hash: Buffer; prefix: string } {
      const token = newSecretText(STATIC_TOKEN_PREFIX);
      return { token, hash: hashOf(token).digest(), prefix: token.slice(0, SHOWN_CHARACTERS) };
    },

    /** The caller of a token that was sent from `address`; synchronous if it is cached. A mistyped token costs no query. */
    check(token: string, address?: string): Caller | Refusal | Promise<Caller | Refusal> {
      if (!isSecretText(STATIC_TOKEN_PREFIX, token)) return INVALID;
      const found = lookups.get(hashOf(token).digest('base64'));
      return found instanceof Promise
        ? found.then((one) => callerOf(one, address))
        : callerOf(found, address);
    },

    /** Saves the uses since the last call; if saving fails, they are retained. */
    flushUses: uses.flush,
  };
}

const FRESH_MS = 500;
const MEMORY_MAX = 10_000;
const INVALID: Refusal = { kind: 'refused', code: 'token_invalid' };

/** The prefix and eight characters: enough to tell tokens apart, and 208 bits too few to use one. */
const SHOWN_CHARACTERS = STATIC_TOKEN_PREFIX.length + 8;

/** Whether an address is in these ranges; with `null` every one is. @throws {ConfigError} for what is no range. */
export function networkCheck(networks: readonly string[] | null): (address: string | undefined) => boolean {
  if (networks === null) return () => true;
  const isWithin = withinRanges('Networks', networks.join(','));
  return (address = '') => isWithin(address);
}

/** Whether all addresses of these networks are in the other ones too; `null` is every address. */
export function areWithin(networks: readonly string[] | null, bounds: readonly string[] | null): boolean {
  if (bounds === null) return true;
  if (networks === null) return false;
  const outer = addressRanges('Networks', bounds.join(','));
  return addressRanges('Networks', networks.join(',')).every(({ address, prefix, family }) =>
    outer.some(
      (bound) =>
        bound.family === family &&
        bound.prefix <= prefix &&
        withinRanges('Networks', `${bound.address}/${bound.prefix}`)(address),
    ),
  );
}

/**
 * A result, including "not found", is valid for `freshMs` from when it was requested: a revoked token works at most that
 * much longer. One query runs at a time, however many callers wait for any keys: neither many callers nor many unknown
 * keys cause many queries.
 */
function createLookups<T>(options: {
  /** Looks up these keys; keys that do not exist are absent from the result. */
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  freshMs: number;
  /** The maximum number of cached results; the least recently used are dropped. */
  max: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}) {
  const { find, freshMs, max, now = () => performance.now() } = options;
  const answers = new LRUCache<string, Answer<T>>({ max });
  let waiting: Waiting<T>[] = [];
  let isAsking = false;

  const recall = (key: string): Answer<T> | undefined => {
    const answer = answers.get(key);
    return answer !== undefined && now() - answer.askedAt < freshMs ? answer : undefined;
  };

  async function askForAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await ask(batch);
      waiting = waiting.filter(({ key, resolve }) => {
        const answer = recall(key);
        if (answer !== undefined) resolve(answer.value);
        return answer === undefined;
      });
    }
    isAsking = false;
  }

  async function ask(batch: readonly Waiting<T>[]): Promise<void> {
    const askedAt = now();
    try {
      const found = await find([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) {
        const value = found.get(key);
        answers.set(key, { value, askedAt });
        resolve(value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    /** The value of a key: synchronous if it is cached, otherwise a promise, which rejects if `find` does. */
    get(key: string): T | undefined | Promise<T | undefined> {
      const answer = recall(key);
      if (answer !== undefined) return answer.value;
      return new Promise((resolve, reject) => {
        waiting.push({ key, resolve, reject });
        if (isAsking) return;
        isAsking = true;
        // All keys of this turn of the event loop go into one query.
        setImmediate(() => void askForAll());
      });
    },
  };
}

interface Answer<T> {
  value: T | undefined;
  askedAt: number;
}

interface Waiting<T> {
  key: string;
  resolve: (value: T | undefined) => void;
  reject: (error: unknown) => void;
}

const BATCH_MAX = 256;
