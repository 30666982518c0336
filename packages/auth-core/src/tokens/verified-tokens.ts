import type { TokenClaims } from './tokens.ts';

/**
 * A bounded memory of verified tokens, from a token's digest to its claims; the oldest makes room. The digest
 * stands for the token so that a dump of the process's memory holds no usable ones.
 */
export function createVerifiedTokens(options: { max: number }) {
  const byDigest = new Map<string, { kid: string; claims: TokenClaims }>();
  return {
    recall: (digest: string): TokenClaims | undefined => byDigest.get(digest)?.claims,

    remember(digest: string, kid: string, claims: TokenClaims): void {
      byDigest.set(digest, { kid, claims });
      if (byDigest.size <= options.max) return;
      const [oldest] = byDigest.keys();
      if (oldest !== undefined) byDigest.delete(oldest);
    },

    /** Drops every token of these keys. */
    forgetKeys(kids: string[]): void {
      const gone = new Set(kids);
      for (const [digest, { kid }] of byDigest) if (gone.has(kid)) byDigest.delete(digest);
    },
  };
}
