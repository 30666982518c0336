import { LRUCache } from 'lru-cache';
import { decode, keyOf, withOverwritten, type CachedSession } from './cached-session.ts';
import { UNCOVERED, type SessionMacs } from './session-macs.ts';

/** What stands in Redis for a session: nothing, a genuine copy, or one that nobody vouches for. */
export interface Found {
  session?: CachedSession;
  /** What of a copy that is not genuine tells it from others; for `write`, to replace it. */
  rejected?: string;
}

/** The latest genuine copy of a session. */
interface Known {
  fence: string;
  accountId: string;
  /** Under which it stood. */
  key: string;
  /** All of it that pings do not overwrite. */
  facts: string;
  session: CachedSession;
}

/**
 * Reads copies of sessions. What was found genuine last under a key is not hashed and taken apart again until it
 * changes, and the key itself is made once.
 */
export function createCopyReader(macs: SessionMacs) {
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX });

  return {
    /** Where the copy stands. */
    keyOf(fence: string, accountId: string, sessionId: string): string {
      const latest = known.get(sessionId);
      return latest?.fence === fence && latest.accountId === accountId
        ? latest.key
        : keyOf(fence, accountId, sessionId);
    },

    /** What the value that stands under this key is. */
    read(
      value: string | null | undefined,
      at: { fence: string; key: string; accountId: string; sessionId: string },
    ): Found {
      if (value == null) return {};
      const { fence, key, accountId, sessionId } = at;
      const facts = value.slice(UNCOVERED);
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

/** Some megabytes; of sessions beyond them each look is hashed. */
const KNOWN_MAX = 20_000;
