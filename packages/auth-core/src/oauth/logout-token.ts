import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { SigningKey } from '../keys/keys.ts';
import type { ClientKeys } from './client-keys.ts';

/** The session whose end a client is told. */
export interface LogoutFacts {
  /** As the client wants its ID tokens signed. */
  alg: 'RS256' | 'ES256';
  clientId: string;
  accountId: string;
  sessionId: string;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** What the specification recommends. */
const LOGOUT_SECONDS = 120;

/**
 * Signs what tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0 §2.4). It is valid for two
 * minutes, and each one has an id of its own.
 */
export async function signLogoutToken(
  { keys, issuer }: { keys: ClientKeys; issuer: string },
  { alg, clientId, accountId, sessionId }: LogoutFacts,
  at: number,
): Promise<{ token: string; expiresAt: Date }> {
  const key = keys.signingKey(alg, at);
  const token = await new SignJWT({ sid: sessionId, events: { [LOGOUT_EVENT]: {} } })
    .setProtectedHeader({ alg, typ: 'logout+jwt', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(accountId)
    .setJti(randomUUID())
    .setIssuedAt(at)
    .setExpirationTime(at + LOGOUT_SECONDS)
    .sign(privateKeyOf(key));
  return { token, expiresAt: new Date((at + LOGOUT_SECONDS) * 1000) };
}

/** @throws {Error} for the key of a service that only verifies. */
export function privateKeyOf({ privateKey }: SigningKey) {
  if (privateKey === undefined) throw new Error('who has public keys alone signs nothing');
  return privateKey;
}
