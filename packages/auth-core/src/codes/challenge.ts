import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a `code_verifier` matches a `code_challenge` by RFC 7636, section 4.6, with the method S256. */
export function isChallengeOf(codeVerifier: string, challenge: string): boolean {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(codeVerifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
