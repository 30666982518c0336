import { isActive, type Role, type SessionStatus } from '@gatehouse/schema';

/** A session, with what a request needs to know about its account. */
export interface CachedSession {
  sessionId: string;
  accountId: string;
  /** Incremented with every change of the row; an older copy never replaces a newer one. */
  version: number;
  status: SessionStatus;
  /** Whether its owner logged out; a ping then gives no further reason. */
  isLoggedOut: boolean;
  role: Role;
  isAccountDisabled: boolean;
  /** Epoch seconds. */
  accountExpiresAt: number | undefined;
  /** The end of the session's absolute lifetime, epoch seconds. */
  expiresAt: number;
  /** Epoch seconds. */
  lastSeenAt: number;
  /** The time of the latest ping, epoch seconds; 0 before the first. */
  lastPingAt: number;
  contentDefinitionId: string | undefined;
  /** The source's time when the row was read, epoch seconds; not part of the copy. */
  readAtSeconds: number;
}

/** Represents "no content" in a copy; as long as a packed identifier. */
export const NO_CONTENT = '-'.repeat(22);

/** The part that pings overwrite. The MAC does not cover it, so its form is checked. */
const OVERWRITTEN = /^\d{10} \d{10} [\w-]{22}[AE] /;

const ROLE_LETTERS: Record<Role, string> = { User: 'U', Guest: 'G', Service: 'S', Feed: 'F', Admin: 'A' };
const ROLES_BY_LETTER = new Map(Object.entries(ROLE_LETTERS).map(([role, letter]) => [letter, role as Role]));

/**
 * The copy as text. It begins with the time when the session was last seen, its last ping and the content, all of fixed
 * width, so that a ping can overwrite them in place. The 45th character is `A` (active) or `E` (ended); the rest is
 * separated by spaces: `1763712000 1763712000 ----------------------A 1 1 U - 1766304000 0`. In Redis, it is followed
 * by a MAC that covers it from the 45th character on (session-macs.ts).
 */
export function encode(session: CachedSession): string {
  const { contentDefinitionId, accountExpiresAt, version, status, expiresAt } = session;
  const seen = String(session.lastSeenAt).padStart(10, '0');
  const pinged = String(session.lastPingAt).padStart(10, '0');
  const content = contentDefinitionId === undefined ? NO_CONTENT : packUuid(contentDefinitionId);
  const letter = isActive(status) ? 'A' : 'E';
  const role = ROLE_LETTERS[session.role];
  const flags = (session.isLoggedOut ? 'o' : '') + (session.isAccountDisabled ? 'd' : '') || '-';
  return `${seen} ${pinged} ${content}${letter} ${version} ${status} ${role} ${flags} ${expiresAt} ${accountExpiresAt ?? 0}`;
}

/** The session in a copy; `undefined` for text in any other form, which a later release may write. */
export function decode(text: string, accountId: string, sessionId: string): CachedSession | undefined {
  const [version, status, letter, flags, expiresAt, accountExpiresAt] = text.slice(46).split(' ');
  const role = ROLES_BY_LETTER.get(letter ?? '');
  if (role === undefined || flags === undefined || accountExpiresAt === undefined) return undefined;
  return withOverwritten(text, {
    sessionId,
    accountId,
    version: Number(version),
    // Only `encode` writes this, from a status.
    status: Number(status) as SessionStatus,
    isLoggedOut: flags.includes('o'),
    role,
    isAccountDisabled: flags.includes('d'),
    accountExpiresAt: Number(accountExpiresAt) || undefined,
    expiresAt: Number(expiresAt),
    lastSeenAt: 0,
    lastPingAt: 0,
    contentDefinitionId: undefined,
    readAtSeconds: 0,
  });
}

/** With the times and the content of this copy; `undefined` if their form is invalid. */
export function withOverwritten(text: string, session: CachedSession): CachedSession | undefined {
  if (!OVERWRITTEN.test(text)) return undefined;
  const lastSeenAt = Number(text.slice(0, 10));
  return {
    ...session,
    lastSeenAt,
    lastPingAt: Number(text.slice(11, 21)),
    contentDefinitionId: text.startsWith(NO_CONTENT, 22) ? undefined : unpackUuid(text.slice(22, 44)),
    readAtSeconds: lastSeenAt,
  };
}

/** The key of a copy; the braces keep one account's sessions in one slot of a Redis Cluster. */
export function keyOf(fence: string, accountId: string, sessionId: string): string {
  return `s:${fence}:{${tagOf(accountId)}}:${packUuid(sessionId)}`;
}

/** The hash tag of an account’s keys, which determines their slot. */
export function tagOf(accountId: string): string {
  return packUuid(accountId);
}

/** A UUID as 22 characters of base64url. */
export function packUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

function unpackUuid(packed: string): string {
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Where sessions are stored permanently; read when the cache cannot answer. */
export interface SessionSource {
  /** Returns the current sessions; unknown ids are ignored. */
  load(sessionIds: readonly string[]): Promise<CachedSession[]>;
  /**
   * Passes every session whose copy may not have reached Redis to `write`, which returns the ids that failed again; all
   * others are removed from the list. Resolves to the position reached; `after` skips everything up to a position.
   */
  catchUp(
    write: (sessions: readonly CachedSession[]) => Promise<ReadonlySet<string>>,
    after?: string,
  ): Promise<string>;
}

/** A session, and the time when it was read, by the clock of the server that returned it (epoch seconds). */
export interface Reading {
  session: CachedSession;
  nowSeconds: number;
}
