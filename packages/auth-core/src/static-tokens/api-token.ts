import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Caller, Refusal } from '../caller.ts';
import { networkCheck } from './networks.ts';
import { createLookups } from './lookups.ts';

/** What static API tokens begin with, so that people, logs and secret scanners recognise them. */
export const STATIC_TOKEN_PREFIX = 'sat_';

/** The roles that a static API token can carry: it stands for the environment, not for a person. */
export const STATIC_TOKEN_ROLES = ['Service', 'Admin'] as const;
export type StaticTokenRole = (typeof STATIC_TOKEN_ROLES)[number];

/** A valid static API token, as it is stored. */
export interface KnownToken {
  id: string;
  hash: Buffer;
  role: StaticTokenRole;
  /** Addresses and CIDR ranges from which it is taken; null: from anywhere. */
  networks: readonly string[] | null;
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
 * Static API tokens: `sat_`, 256 random bits and a checksum, in letters and digits. Only an HMAC of each is stored: a
 * copy of the database gives no access, nor does a row that somebody without the key adds. Tokens are found by that
 * keyed hash, so that no comparison’s time reveals anything of a token.
 *
 * An answer of the source counts for half a second from when it was asked: so long may a revoked token keep working
 * in every process, and a busy token costs the source two queries a second.
 */
export function createStaticTokens(options: {
  key: Buffer;
  source: StaticTokenSource;
  /** Milliseconds that never go back. */
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
    return { kind: 'service', tokenId: token.id, role: token.role };
  };

  return {
    /** A new token, to be shown once, and what is kept of it: its hash, and how it begins. */
    issue(): { token: string; hash: Buffer; prefix: string } {
      const secret = randomSymbols(SECRET_SYMBOLS);
      const token = `${STATIC_TOKEN_PREFIX}${secret}${checksumOf(secret)}`;
      return { token, hash: hashOf(token).digest(), prefix: token.slice(0, SHOWN_CHARACTERS) };
    },

    /** The caller of a token that came from `address`: synchronously when it is known. A mistyped token costs no query. */
    check(token: string, address?: string): Caller | Refusal | Promise<Caller | Refusal> {
      if (!isWellMade(token)) return INVALID;
      const found = lookups.get(hashOf(token).digest('base64'));
      return found instanceof Promise
        ? found.then((one) => callerOf(one, address))
        : callerOf(found, address);
    },

    /** Saves the uses since the last call; they are kept if saving fails. */
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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is more than 2^256. */
const SECRET_SYMBOLS = 43;
/** 62^6 is more than 2^32. */
const CHECKSUM_SYMBOLS = 6;
/** The prefix and eight symbols: enough to tell tokens apart by, 208 bits too few to use one. */
const SHOWN_CHARACTERS = STATIC_TOKEN_PREFIX.length + 8;
const GRAMMAR = new RegExp(
  // oxlint-disable-next-line gatehouse/readable-expressions -- of fixed length
  `^${STATIC_TOKEN_PREFIX}([0-9A-Za-z]{${SECRET_SYMBOLS}})([0-9A-Za-z]{${CHECKSUM_SYMBOLS}})$`,
);

function isWellMade(token: string): boolean {
  const [, secret, checksum] = GRAMMAR.exec(token) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** The CRC-32 of the random part, as others do it: anybody can tell a genuine-looking token from noise by it. */
function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let symbols = '';
  for (let at = 0; at < CHECKSUM_SYMBOLS; at += 1) {
    symbols = ALPHABET.charAt(rest % 62) + symbols;
    rest = Math.floor(rest / 62);
  }
  return symbols;
}

function randomSymbols(count: number): string {
  let symbols = '';
  while (symbols.length < count) {
    for (const byte of randomBytes(count)) {
      // 248 is the last multiple of 62 in a byte: beyond it the remainder would favour some symbols.
      if (byte < 248 && symbols.length < count) symbols += ALPHABET.charAt(byte % 62);
    }
  }
  return symbols;
}
