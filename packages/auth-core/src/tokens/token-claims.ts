import type { Role } from '@gatehouse/schema';

/** The content of a genuine access token. */
export interface TokenClaims {
  kind: 'claims';
  accountId: string;
  sessionId: string;
  /** The role when it was issued; the cached session has the current one. */
  role: Role;
  /** Its `jti`. */
  tokenId: string;
  /** In epoch seconds. */
  issuedAt: number;
  /** In epoch seconds. */
  expiresAt: number;
}
