import { LRUCache } from 'lru-cache';
import type { TokenClaims } from './token-claims.ts';

/**
 * A bounded cache of verified tokens, from a token’s digest to its claims; the least recently used is dropped. It
 * contains digests, so that a dump of the process’s memory contains no usable tokens.
 */
export function createVerifiedTokens(options: { max: number }) {
  const byDigest = new LRUCache<string, { kid: string; claims: TokenClaims }>({ max: options.max });
  return {
    recall: (digest: string): TokenClaims | undefined => byDigest.get(digest)?.claims,

    remember(digest: string, kid: string, claims: TokenClaims): void {
      byDigest.set(digest, { kid, claims });
    },

    /** Removes all tokens that were signed by these keys. */
    forgetKeys(kids: string[]): void {
      const gone = new Set(kids);
      for (const [digest, { kid }] of byDigest.entries()) if (gone.has(kid)) byDigest.delete(digest);
    },
  };
}
