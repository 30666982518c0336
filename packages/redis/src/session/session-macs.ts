import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Role } from '@gatehouse/schema';

/** The keys of the MACs; Portal does not have the one for administrators. */
export interface SessionMacKeys {
  /** For sessions of users and guests. */
  userSessions: Buffer;
  /** For all other sessions, such as those of administrators. */
  adminSessions: Buffer | undefined;
}

export type SessionMacs = ReturnType<typeof createSessionMacs>;

/**
 * Message authentication codes (HMAC-SHA-256, RFC 2104): whoever can write to Redis cannot change a session. They cover
 * the key of the copy, with the server's run, the account and the session, and the copy but for what pings overwrite.
 * Those of users and guests have a key that every service has, others one that Portal does not.
 */
export function createSessionMacs(keys: SessionMacKeys) {
  // With a Buffer as the key, Node 24 takes four times as long.
  const userSecret = createSecretKey(keys.userSessions);
  const adminSecret = keys.adminSessions && createSecretKey(keys.adminSessions);
  const secretFor = (role: Role) => (role === 'User' || role === 'Guest' ? userSecret : adminSecret);

  return {
    /** Whether this service has the key for sessions of this role. */
    vouchesFor: (role: Role): boolean => secretFor(role) !== undefined,

    /** The copy with its MAC; without one if this service lacks the key, so that readers ask Postgres instead. */
    seal(key: string, role: Role, copy: string): string {
      const secret = secretFor(role);
      return secret === undefined
        ? copy
        : `${copy} ${macOf(secret, key, copy.slice(UNAUTHENTICATED_LENGTH))}`;
    },

    isGenuine(key: string, role: Role, copy: string): boolean {
      const secret = secretFor(role);
      if (secret === undefined) return false;
      const facts = copy.slice(UNAUTHENTICATED_LENGTH);
      const at = facts.length - MAC_LENGTH;
      const mac = Buffer.from(macOf(secret, key, facts.slice(0, Math.max(0, at - 1))));
      const claimed = Buffer.from(facts.slice(-MAC_LENGTH));
      return facts[at - 1] === ' ' && claimed.length === mac.length && timingSafeEqual(claimed, mac);
    },
  };
}

/** The number of characters at the start of a copy that pings overwrite in place. */
export const UNAUTHENTICATED_LENGTH = 44;

/** 132 bits as base64url. */
const MAC_LENGTH = 22;

function macOf(secret: KeyObject, key: string, facts: string): string {
  // A key contains no space, and `facts` begins with a letter and a space: no two pairs result in the same text.
  return createHmac('sha256', secret).update(`${key} ${facts}`).digest('base64url').slice(0, MAC_LENGTH);
}
