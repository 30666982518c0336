/** The roles that tokens name; `Service` and `Feed` are those of static API tokens, `Admin` may be. */
export const ROLES = ['User', 'Guest', 'Service', 'Feed', 'Admin'] as const;

/** The caller, according to the token or Gatehouse. */
export interface Caller {
  kind: 'caller';
  /** `App`: an application calls, in the name of a user or, without an account, in its own. */
  role: (typeof ROLES)[number] | 'App';
  /** The account; undefined for a static API token. */
  accountId: string | undefined;
  /** The session; undefined for a static API token. */
  sessionId: string | undefined;
  /** When the access token expires, in epoch seconds; undefined for a static API token. */
  expiresAt: number | undefined;
  /** The application that calls, what it was granted, and, in the name of a user, its own part of the session. */
  app?: { clientId: string; scopes: readonly string[]; clientSessionId?: string };
}

const CODES = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'session_replaced',
  'session_deactivated',
  'session_expired',
  'session_ended',
  'invite_deleted',
] as const;

/** Why the caller is refused: 401 with this code, which Gatehouse's own APIs also use. */
export interface Refusal {
  kind: 'refused';
  code: (typeof CODES)[number];
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

/** A refusal by its code. An unknown code, which a later release of Gatehouse may add, is also a refusal. */
export function refusedBy(code: string | null): Refusal {
  return refused(CODES.find((one) => one === code) ?? 'token_invalid');
}
