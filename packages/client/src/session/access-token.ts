import type { SessionFacts } from './token-storage.ts';

/** An access token and its claims. */
export interface Access {
  token: string;
  session: SessionFacts;
  /** In seconds of the server's clock. The newer of two tokens has the greater value. */
  issuedAt: number;
  /** In milliseconds, by this machine's clock. */
  expiresAt: number;
  lifetimeMs: number;
}

/** The tokens that the server returned. */
export interface IssuedTokens {
  token: string;
  refreshToken: string;
  /** When the tokens were requested, by this machine's clock: so they never expire later here than on the server. */
  askedAt: number;
  /** The identity provider that renews the tokens; `undefined` if the session was opened with a password. */
  provider?: string | undefined;
}

export function readAccessToken({ token, askedAt, provider }: IssuedTokens): Access {
  const claims = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
  const { sid: id, sub: accountId, role, iat, exp } = JSON.parse(atob(claims)) as Claims; // issued by the API
  const lifetimeMs = (exp - iat) * 1000;
  const session = { id, accountId, role, provider };
  return { token, session, issuedAt: iat, expiresAt: askedAt + lifetimeMs, lifetimeMs };
}

/** The claims of RFC 9068 §2.2, and the session. */
interface Claims {
  sub: string;
  sid: string;
  role: string;
  iat: number;
  exp: number;
}

/** The remaining validity that a token needs to be used: 30 s, or a sixth of its lifetime if that is less. */
export function marginMs({ lifetimeMs }: Access): number {
  return Math.min(30_000, lifetimeMs / 6);
}
