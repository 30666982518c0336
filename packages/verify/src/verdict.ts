/** Who is calling, as the token or Gatehouse says. */
export interface Caller {
  kind: 'caller';
  role: 'User' | 'Guest' | 'Service' | 'Admin';
  /** The account; none for a static API token. */
  accountId: string | undefined;
  /** The session; none for a static API token. */
  sessionId: string | undefined;
  /** When the access token ends, epoch seconds; none for a static API token. */
  expiresAt: number | undefined;
}

/** Why nobody is let in: 401 with this code, which Gatehouse's own APIs use as well. */
export interface Refusal {
  kind: 'refused';
  code:
    | 'token_missing'
    | 'token_invalid'
    | 'token_expired'
    | 'session_replaced'
    | 'session_deactivated'
    | 'session_expired'
    | 'session_ended'
    | 'invite_deleted';
}

/** The token cannot be checked now: 503, as a 401 would make clients log in again. */
export interface Unavailable {
  kind: 'unavailable';
  reason: string;
}

export type Verdict = Caller | Refusal | Unavailable;

export function refused(code: Refusal['code']): Refusal {
  return { kind: 'refused', code };
}

export function unavailable(reason: string): Unavailable {
  return { kind: 'unavailable', reason };
}

const CODES = new Set<string>([
  'token_missing',
  'token_invalid',
  'token_expired',
  'session_replaced',
  'session_deactivated',
  'session_expired',
  'session_ended',
  'invite_deleted',
] satisfies Refusal['code'][]);

/** A refusal by its code; one that a later release of Gatehouse has added refuses all the same. */
export function refusedBy(code: string | null): Refusal {
  return refused(code !== null && CODES.has(code) ? (code as Refusal['code']) : 'token_invalid'); // just looked up
}
