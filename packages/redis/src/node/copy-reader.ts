import { LRUCache } from 'lru-cache';
import { decode, keyOf, withOverwritten, type CachedSession } from '../session/cached-session.ts';
import { UNAUTHENTICATED_LENGTH, type SessionMacs } from '../session/session-macs.ts';

/** What Redis contains for a session: nothing, a genuine copy, or one without a valid MAC. */
export interface Found {
  session?: CachedSession;
  /**
   * The part of a copy without a valid MAC that pings do not overwrite; `write` replaces the copy with exactly this
   * part.
   */
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

/**
 * Reads copies of sessions. The latest genuine copy under a key is neither verified nor parsed again until it changes,
 * and its key is built only once.
 */
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
