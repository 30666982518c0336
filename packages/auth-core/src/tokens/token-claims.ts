import type { Role } from '@gatehouse/schema';

/** What a genuine access token says. */
export interface TokenClaims {
  kind: 'claims';
  accountId: string;
  sessionId: string;
  /** The role when it was issued; the cached session has the present one. */
  role: Role;
  /** Epoch seconds. */
  issuedAt: number;
  /** When it expires, epoch seconds. */
  expiresAt: number;
}
