/** An access token, and what it says of itself. */
export interface Access {
  token: string;
  sessionId: string;
  accountId: string;
  role: string;
  /** Seconds, by the server's clock: tells which of two was made later. */
  issuedAt: number;
  /** Milliseconds, by this machine's clock. */
  expiresAt: number;
  lifetimeMs: number;
}

/**
 * Reads a token that the server has just given.
 *
 * @param askedAt when it was asked for, so that it ends no later here than there, however the clocks differ.
 */
export function readAccessToken(token: string, askedAt: number): Access {
  const claims = JSON.parse(
    atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')),
  ) as Claims; // of a token that the API gave
  const lifetimeMs = (claims.exp - claims.iat) * 1000;
  return {
    token,
    sessionId: claims.sid,
    accountId: claims.sub,
    role: claims.role,
    issuedAt: claims.iat,
    expiresAt: askedAt + lifetimeMs,
    lifetimeMs,
  };
}

/** RFC 9068 §2.2, and the session. */
interface Claims {
  sub: string;
  sid: string;
  role: string;
  iat: number;
  exp: number;
}

/** How long a token must be good for to be used: 30 s, or a fifth of a short life. */
export function marginMs({ lifetimeMs }: Access): number {
  return Math.min(30_000, lifetimeMs / 5);
}
