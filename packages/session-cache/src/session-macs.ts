import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Role } from '@gatehouse/schema';

/** The keys of a service; Portal has none for administrators. */
export interface SessionMacKeys {
  /** Vouches for what a cached session says of users and guests. */
  userSessions: Buffer;
  /** Vouches for what a cached session says of administrators. */
  adminSessions: Buffer | undefined;
}

export type SessionMacs = ReturnType<typeof createSessionMacs>;

/**
 * Message authentication codes of cached sessions (HMAC-SHA-256, RFC 2104), so that who can write to Redis
 * can make no session say what it does not. A code covers the key that the copy stands under, which names the life
 * of the server, the account and the session, and all of the copy but the times and the content that pings
 * overwrite. Copies of users and guests are made with a key that every service has; any others with one that Portal
 * does not have.
 */
export function createSessionMacs(keys: SessionMacKeys) {
  /**
   * What was found genuine last under each key need not be hashed again until it changes. In two generations: what
   * was asked for in the younger one outlives it.
   */
  let verified = new Map<string, string>();
  let verifiedEarlier = new Map<string, string>();

  const secretFor = (role: Role): Buffer | undefined =>
    role === 'User' || role === 'Guest' ? keys.userSessions : keys.adminSessions;

  const remember = (key: string, facts: string): true => {
    if (verified.size >= GENERATION_MAX) {
      verifiedEarlier = verified;
      verified = new Map();
    }
    verified.set(key, facts);
    return true;
  };

  return {
    /** Whether this service can tell that a copy with this role is genuine, and make one. */
    vouchesFor: (role: Role): boolean => secretFor(role) !== undefined,

    /** The copy with its code; without one where this service cannot vouch for it, which makes whoever reads it ask Postgres. */
    seal(key: string, role: Role, copy: string): string {
      const secret = secretFor(role);
      return secret === undefined ? copy : `${copy} ${macOf(secret, key, copy.slice(UNCOVERED))}`;
    },

    /** Whether a copy with this role that stands under the key is one that was sealed for it. */
    isGenuine(key: string, role: Role, copy: string): boolean {
      const facts = copy.slice(UNCOVERED);
      if (verified.get(key) === facts) return true;
      if (verifiedEarlier.get(key) === facts) return remember(key, facts);
      const secret = secretFor(role);
      if (secret === undefined) return false;
      const at = facts.length - MAC_LENGTH;
      const mac = Buffer.from(macOf(secret, key, facts.slice(0, Math.max(0, at - 1))));
      const claimed = Buffer.from(facts.slice(-MAC_LENGTH));
      if (facts[at - 1] !== ' ' || claimed.length !== mac.length || !timingSafeEqual(claimed, mac))
        return false;
      return remember(key, facts);
    },
  };
}

/** The characters at the start of a copy that pings overwrite in place. */
export const UNCOVERED = 44;

/** 132 bits in base64url. */
const MAC_LENGTH = 22;

/** Both make some megabytes; of sessions beyond them each look is hashed. */
const GENERATION_MAX = 10_000;

function macOf(secret: Buffer, key: string, facts: string): string {
  // A key holds no space and `facts` begins with a letter and one: no two pairs are one text.
  return createHmac('sha256', secret).update(`${key} ${facts}`).digest('base64url').slice(0, MAC_LENGTH);
}
