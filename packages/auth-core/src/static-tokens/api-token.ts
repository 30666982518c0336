import { createHmac, createSecretKey } from 'node:crypto';
import type { StaticTokenRole } from '@gatehouse/schema';
import type { Caller, Refusal } from '../caller.ts';
import { networkCheck } from './networks.ts';
import { createLookups } from './lookups.ts';
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

/** When a token was last used, and from which address if known. */
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
  let uses = new Map<string, TokenUse>();

  const callerOf = (
    token: Awaited<ReturnType<typeof lookups.get>>,
    address: string | undefined,
  ): Caller | Refusal => {
    if (token === undefined || !token.isFrom(address)) return INVALID;
    uses.set(token.id, { at: new Date(), address });
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
    async flushUses(save: (uses: ReadonlyMap<string, TokenUse>) => Promise<void>): Promise<void> {
      const taken = uses;
      if (taken.size === 0) return;
      uses = new Map();
      try {
        await save(taken);
      } catch (error) {
        uses = new Map([...taken, ...uses]);
        throw error;
      }
    },
  };
}

const FRESH_MS = 500;
const MEMORY_MAX = 10_000;
const INVALID: Refusal = { kind: 'refused', code: 'token_invalid' };

/** The prefix and eight characters: enough to tell tokens apart, and 208 bits too few to use one. */
const SHOWN_CHARACTERS = STATIC_TOKEN_PREFIX.length + 8;
