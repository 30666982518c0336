import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
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
  // Node 24 takes four times as long for a key that is a Buffer.
  const userSecret = createSecretKey(keys.userSessions);
  const adminSecret = keys.adminSessions && createSecretKey(keys.adminSessions);
  const secretFor = (role: Role): KeyObject | undefined =>
    role === 'User' || role === 'Guest' ? userSecret : adminSecret;

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
      const secret = secretFor(role);
      if (secret === undefined) return false;
      const facts = copy.slice(UNCOVERED);
      const at = facts.length - MAC_LENGTH;
      const mac = Buffer.from(macOf(secret, key, facts.slice(0, Math.max(0, at - 1))));
      const claimed = Buffer.from(facts.slice(-MAC_LENGTH));
      return facts[at - 1] === ' ' && claimed.length === mac.length && timingSafeEqual(claimed, mac);
    },
  };
}

/** The characters at the start of a copy that pings overwrite in place. */
export const UNCOVERED = 44;

/** 132 bits in base64url. */
const MAC_LENGTH = 22;

function macOf(secret: KeyObject, key: string, facts: string): string {
  // A key holds no space and `facts` begins with a letter and one: no two pairs are one text.
  return createHmac('sha256', secret).update(`${key} ${facts}`).digest('base64url').slice(0, MAC_LENGTH);
}
