import { keysFor, signingKey, type KeyAlg, type KeySet, type SigningKey } from '../keys/keys.ts';
import type { Keys } from '../keys/watch-keys.ts';

export type ClientKeys = ReturnType<typeof createClientKeys>;

/**
 * The keys of what clients are told: ID tokens, logout tokens and the access tokens of clients. They are Core's alone,
 * unlike those of our own access tokens, which Admin has, too. A set that has only keys for RS256 yet borrows those for
 * ES256, until it has one that signs.
 */
export function createClientKeys({
  keys,
  idTokenKeys,
}: {
  keys: Pick<Keys, 'current'>;
  idTokenKeys: Pick<Keys, 'current'>;
}) {
  const ownFor = (alg: KeyAlg): KeySet => keysFor(idTokenKeys.current(), alg);

  /** When the own keys begin to sign with ES256, in epoch seconds. */
  const ownSince = (): number => {
    const [first] = ownFor('ES256').values();
    return first?.signsFrom ?? Infinity;
  };

  return {
    ownSince,
    own: () => idTokenKeys.current(),

    signingKey(alg: KeyAlg, atSeconds: number): SigningKey {
      const isBorrowed = alg === 'ES256' && atSeconds < ownSince();
      return signingKey(isBorrowed ? keys.current() : ownFor(alg), atSeconds);
    },

    /** The key of a token; what a borrowed key has signed counts only from the time when it was needed. */
    find(
      alg: unknown,
      kid: string,
    ): { key: SigningKey; isForTokensOf(issuedAt: number | undefined): boolean } | undefined {
      const own = idTokenKeys.current().get(kid);
      if (own !== undefined) return { key: own, isForTokensOf: () => alg === own.publicJwk.alg };
      const key = keys.current().get(kid);
      return key && { key, isForTokensOf: (issuedAt = Infinity) => alg === 'ES256' && issuedAt < ownSince() };
    },

    /** The sets whose public halves clients need. */
    published: (atSeconds: number): KeySet[] => [
      ...(atSeconds < ownSince() ? [keys.current()] : []),
      idTokenKeys.current(),
    ],
  };
}
