import type { SessionFacts } from './token-storage.ts';

/** An access token, and what it says of itself. */
export interface Access {
  token: string;
  session: SessionFacts;
  /** Seconds, by the server's clock: tells which of two was made later. */
  issuedAt: number;
  /** Milliseconds, by this machine's clock. */
  expiresAt: number;
  lifetimeMs: number;
}

/** What the server gave. */
export interface IssuedTokens {
  token: string;
  refreshToken: string;
  /** When they were asked for, by this machine's clock, so that they end no later here than there. */
  askedAt: number;
  /** Who renews them; `undefined` for those of a password. */
  provider?: string | undefined;
}

export function readAccessToken({ token, askedAt, provider }: IssuedTokens): Access {
  const claims = token.split('.')[1] ?? '';
  const {
    sid: id,
    sub: accountId,
    role,
    iat,
    exp,
  } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as Claims; // of a token that the API gave
  const lifetimeMs = (exp - iat) * 1000;
  const session = { id, accountId, role, provider };
  return { token, session, issuedAt: iat, expiresAt: askedAt + lifetimeMs, lifetimeMs };
}

/** RFC 9068 §2.2, and the session. */
interface Claims {
  sub: string;
  sid: string;
  role: string;
  iat: number;
  exp: number;
}

/** How long a token must be good for to be used: 30 s, or a sixth of a short life. */
export function marginMs({ lifetimeMs }: Access): number {
  return Math.min(30_000, lifetimeMs / 6);
}
