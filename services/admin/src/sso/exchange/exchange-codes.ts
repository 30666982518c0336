import { createHash, timingSafeEqual } from 'node:crypto';
import { createSecretBox } from '@gatehouse/crypto';
import { compile, Type, type Static } from '@gatehouse/schema';

const LIFETIME_SECONDS = 60;

const Kept = Type.Object({
  refreshToken: Type.String(),
  challenge: Type.String(),
  expiresAt: Type.Integer(),
});
const isKept = compile(Kept, { unknownFields: 'refuse' });

/** What a code of a sign-on is exchanged for, and what it is remembered by once it was used. */
export interface ExchangeCode {
  refreshToken: string;
  digest: Buffer;
  expiresAtSeconds: number;
}

export type ExchangeCodes = ReturnType<typeof createExchangeCodes>;

/**
 * Codes that an app exchanges for the tokens of a sign-on. The tokens are in the code, sealed, and bound to the provider; the
 * database remembers used codes by their digests alone. A code is worth nothing without the verifier that the app keeps
 * (PKCE, RFC 7636), so that neither histories nor logs of addresses give anybody a session.
 */
export function createExchangeCodes(options: { secret: string; now: () => number }) {
  const box = createSecretBox(options.secret, 'sso exchange');
  const secondsNow = (): number => Math.floor(options.now() / 1000);
  return {
    /** A code for these tokens, good for a minute. */
    create(
      providerId: string,
      { refreshToken, challenge }: { refreshToken: string; challenge: string },
    ): string {
      const kept: Static<typeof Kept> = {
        refreshToken,
        challenge,
        expiresAt: secondsNow() + LIFETIME_SECONDS,
      };
      return box.seal(providerId, Buffer.from(JSON.stringify(kept))).toString('base64url');
    },

    /** Opens a code; `undefined` when it is no code of this provider, has expired, or the verifier is another's. */
    open(
      providerId: string,
      { code, codeVerifier }: { code: string; codeVerifier: string },
    ): ExchangeCode | undefined {
      const opened = box.open(providerId, Buffer.from(code, 'base64url'));
      if (opened === undefined) return undefined;
      const kept: unknown = JSON.parse(opened.toString());
      if (isKept(kept) !== undefined) return undefined;
      const { refreshToken, challenge, expiresAt } = kept as Static<typeof Kept>; // just checked
      if (expiresAt <= secondsNow() || !isChallengeOf(codeVerifier, challenge)) return undefined;
      return { refreshToken, digest: digestOf(opened), expiresAtSeconds: expiresAt };
    },
  };
}

/** RFC 7636, section 4.6, with the method S256. */
function isChallengeOf(codeVerifier: string, challenge: string): boolean {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(codeVerifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Of what is in the code, as Base64 spells the same bytes in several ways. */
function digestOf(opened: Buffer): Buffer {
  return createHash('sha256').update('sso exchange').update(opened).digest();
}
