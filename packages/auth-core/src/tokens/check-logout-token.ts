import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JSONWebKeySet, JWTPayload } from 'jose';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The maximum difference between a provider's clock and ours, for every time that a token of it contains. */
export const CLOCK_SECONDS_MAX = 300;
/** The maximum age of a token: a provider retries for a while if it gets no response. */
const AGE_SECONDS_MAX = 600;
const TEXT_MAX = 255;

/** The content of a logout token: a subject, a session of the provider, or both. */
export interface LogoutToken {
  id: string;
  subject: string | undefined;
  sid: string | undefined;
  /** From then on the token is refused because of its age, and `id` need not be remembered. */
  isOldAtSeconds: number;
}

/**
 * `unknown_key`: no known key matches, or the token does not name its key and was not signed with the only known one; the
 * provider may have a new one.
 */
export type LogoutTokenCheck =
  { kind: 'genuine'; token: LogoutToken } | { kind: 'invalid'; reason: string } | { kind: 'unknown_key' };

export interface LogoutTokenRules {
  issuer: string;
  audience: string;
  /** Asymmetric signature algorithms, which only the provider can use. */
  algorithms: readonly string[];
  keys: JSONWebKeySet;
  /** In milliseconds since the epoch. */
  now: number;
}

/** Whether a text claims to be a token of this issuer; nothing is verified. */
export function claimsIssuer(text: string, issuer: string): boolean {
  try {
    return decodeJwt(text).iss === issuer;
  } catch {
    return false;
  }
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout §2.6), except whether it was used before. An ID token is
 * not accepted: it lacks the logout event, and tokens with a nonce are refused.
 */
export async function checkLogoutToken(text: string, rules: LogoutTokenRules): Promise<LogoutTokenCheck> {
  const { issuer, audience, keys, now } = rules;
  try {
    const { payload, protectedHeader } = await jwtVerify(text, createLocalJWKSet(keys), {
      issuer,
      audience,
      algorithms: [...rules.algorithms],
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      currentDate: new Date(now),
      clockTolerance: CLOCK_SECONDS_MAX,
    });
    const reason = faultOf(payload, protectedHeader.typ, rules);
    if (reason !== undefined) return { kind: 'invalid', reason };
    const { jti = '', sub, sid, iat = 0 } = payload;
    const isOldAtSeconds = iat + AGE_SECONDS_MAX + 1;
    return { kind: 'genuine', token: { id: jti, subject: sub, sid: readSid(sid), isOldAtSeconds } };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { kind: 'unknown_key' };
    const isUnproven = error instanceof errors.JWSSignatureVerificationFailed;
    if (isUnproven && decodeProtectedHeader(text).kid === undefined) return { kind: 'unknown_key' };
    return { kind: 'invalid', reason: error instanceof errors.JOSEError ? error.code : 'malformed' };
  }
}

function faultOf(payload: JWTPayload, typ: string | undefined, { audience, now }: LogoutTokenRules) {
  const { iat = 0, jti, sub, sid, events, nonce } = payload;
  if (typ !== undefined && !TYPES.has(typ.toLowerCase())) return 'typ';
  if (nonce !== undefined) return 'nonce';
  if (!isIssuedTo(payload, audience)) return 'azp';
  const age = now / 1000 - iat;
  if (age > AGE_SECONDS_MAX || age < -CLOCK_SECONDS_MAX) return 'iat';
  if (!isText(jti)) return 'jti';
  if (!isEvent(events)) return 'events';
  if (sub !== undefined && !isSubject(sub)) return 'sub';
  if (sid !== undefined && typeof sid !== 'string') return 'sid';
  return sub === undefined && readSid(sid) === undefined ? 'sub' : undefined;
}

/** Of several audiences, `azp` must be this client (OpenID Connect Core §3.1.3.7, by Back-Channel Logout §2.6). */
function isIssuedTo({ aud, azp }: JWTPayload, client: string): boolean {
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  return azp === undefined ? !isForOthers : azp === client;
}

const TYPES = new Set(['logout+jwt', 'application/logout+jwt', 'jwt']);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX;
}

function isEvent(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) return false;
  const event: unknown = (events as Record<string, unknown>)[EVENT]; // it has this member
  return typeof event === 'object' && event !== null && !Array.isArray(event);
}

/** Whether a claim is a valid subject: at most 255 ASCII characters (OpenID Connect Core §2). */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);
}

/** Any text that Postgres can store. A longer `sid` is ignored: the token then ends all sessions of its subject. */
export function readSid(value: unknown): string | undefined {
  const isUsable =
    typeof value === 'string' &&
    value !== '' &&
    value.length <= TEXT_MAX &&
    !value.includes('\0') &&
    value.isWellFormed();
  return isUsable ? value : undefined;
}
