import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 16;

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * Refresh tokens: base64url of session id (16 bytes), nonce (16 bytes) and their HMAC-SHA-256. The HMAC distinguishes
 * a genuine old token, which indicates theft, from a guess, which must revoke nothing. A token can be computed from
 * the session’s row, so none is stored (docs/sessions.md).
 */
export function createRefreshTokens({ key }: { key: Buffer }) {
  // Node 24 takes four times as long if the key is a Buffer.
  const secret = createSecretKey(key);
  const mac = (body: Buffer): Buffer => createHmac('sha256', secret).update(body).digest();

  return {
    /** The token of a session and a nonce; deterministic. */
    issue(sessionId: string, nonce: Buffer): string {
      const body = Buffer.concat([Buffer.from(sessionId.replaceAll('-', ''), 'hex'), nonce]);
      if (body.length !== BODY_BYTES) throw new TypeError('a session id or nonce has the wrong length');
      return Buffer.concat([body, mac(body)]).toString('base64url');
    },

    /** The content of a genuine token, otherwise `undefined`. */
    read(token: string): { sessionId: string; nonce: Buffer } | undefined {
      if (token.length !== TOKEN_CHARACTERS) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // Node ignores characters outside base64url and surplus bits; here a token has exactly one valid spelling.
      if (bytes.toString('base64url') !== token) return undefined;
      const body = bytes.subarray(0, BODY_BYTES);
      if (!timingSafeEqual(mac(body), bytes.subarray(BODY_BYTES))) return undefined;
      return { sessionId: uuidText(body.subarray(0, 16)), nonce: Buffer.from(body.subarray(16)) };
    },

    newNonce: (): Buffer => randomBytes(NONCE_BYTES),
  };
}

const BODY_BYTES = 16 + NONCE_BYTES;
const TOKEN_CHARACTERS = 86;

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-');
}
