import { createHash } from 'node:crypto';
import { isChallengeOf } from '@gatehouse/auth-core';
import { createSecretBox } from '@gatehouse/crypto';
import { compile, Type, type Static } from '@gatehouse/schema';

const LIFETIME_SECONDS = 60;

const Kept = Type.Object({
  refreshToken: Type.String(),
  challenge: Type.String(),
  expiresAt: Type.Integer(),
});
const isKept = compile(Kept, { unknownFields: 'refuse' });

/** The content of a code, and the digest that identifies the code after it was used. */
export interface ExchangeCode {
  refreshToken: string;
  digest: Buffer;
  expiresAtSeconds: number;
}

export type ExchangeCodes = ReturnType<typeof createExchangeCodes>;

/**
 * Codes that an app exchanges for the tokens of a sign-on. A code contains the sealed refresh token and is bound to the
 * provider; the database stores only the digests of used codes. A code is useless without the verifier, which only the
 * app has (PKCE, RFC 7636), so that a browser history or an access log gives nobody a session.
 */
export function createExchangeCodes(options: { secret: string; now: () => number }) {
  const box = createSecretBox(options.secret, 'sso exchange');
  const secondsNow = (): number => Math.floor(options.now() / 1000);
  return {
    /** Creates a code for these tokens, valid for one minute. */
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

    /** Opens a code; `undefined` if it is not from this provider, has expired, or the verifier does not match. */
    open(
      providerId: string,
      { code, codeVerifier }: { code: string; codeVerifier: string },
    ): ExchangeCode | undefined {
      const opened = box.open(providerId, Buffer.from(code, 'base64url'));
      if (opened === undefined) return undefined;
      const kept: unknown = JSON.parse(opened.toString());
      if (isKept(kept) !== undefined) return undefined;
      const { refreshToken, challenge, expiresAt } = kept as Static<typeof Kept>; // checked above
      if (expiresAt <= secondsNow() || !isChallengeOf(codeVerifier, challenge)) return undefined;
      return { refreshToken, digest: digestOf(opened), expiresAtSeconds: expiresAt };
    },
  };
}

/** A digest of the content, not of the code, because several Base64 texts decode to the same bytes. */
function digestOf(opened: Buffer): Buffer {
  return createHash('sha256').update('sso exchange').update(opened).digest();
}
