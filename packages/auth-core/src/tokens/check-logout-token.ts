import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** How far a provider's clock may be ahead of ours. */
const AHEAD_SECONDS_MAX = 300;
/** How old a token may be: a provider tries again for a while where nobody answers. */
const AGE_SECONDS_MAX = 600;
const TEXT_MAX = 255;

/** What a provider says in a logout token; a subject, a session of the provider, or both. */
export interface LogoutToken {
  id: string;
  subject: string | undefined;
  sid: string | undefined;
  /** From then on no token of this age is taken, and `id` need not be remembered. */
  isOldAtSeconds: number;
}

/** `unknown_key`: of the keys that are known none made it; the provider may have a new one. */
export type LogoutTokenCheck =
  { kind: 'genuine'; token: LogoutToken } | { kind: 'invalid'; reason: string } | { kind: 'unknown_key' };

export interface LogoutTokenRules {
  issuer: string;
  audience: string;
  /** Signatures that the provider alone can make. */
  algorithms: readonly string[];
  keys: JSONWebKeySet;
  /** In milliseconds since the epoch. */
  now: number;
}

/** Whether a text claims to be a token of this issuer; nothing of it is proved. */
export function claimsIssuer(text: string, issuer: string): boolean {
  try {
    return decodeJwt(text).iss === issuer;
  } catch {
    return false;
  }
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout §2.6), all but whether it was used before. An ID token is none:
 * it tells no such event, and what has a nonce is refused.
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
    });
    const reason = faultOf(payload, protectedHeader.typ, rules);
    if (reason !== undefined) return { kind: 'invalid', reason };
    const { jti = '', sub, sid, iat = 0 } = payload;
    const session = typeof sid === 'string' ? sid : undefined;
    const isOldAtSeconds = iat + AGE_SECONDS_MAX + 1;
    return { kind: 'genuine', token: { id: jti, subject: sub, sid: session, isOldAtSeconds } };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { kind: 'unknown_key' };
    return { kind: 'invalid', reason: error instanceof errors.JOSEError ? error.code : 'malformed' };
  }
}

function faultOf(payload: JWTPayload, typ: string | undefined, { audience, now }: LogoutTokenRules) {
  const { iat = 0, jti, sub, sid, events, nonce } = payload;
  if (typ !== undefined && !TYPES.has(typ.toLowerCase())) return 'typ';
  if (nonce !== undefined) return 'nonce';
  if (!isIssuedTo(payload, audience)) return 'azp';
  const age = now / 1000 - iat;
  if (age > AGE_SECONDS_MAX || age < -AHEAD_SECONDS_MAX) return 'iat';
  if (!isText(jti)) return 'jti';
  if (!isEvent(events)) return 'events';
  if (sub === undefined && sid === undefined) return 'sub';
  if (sub !== undefined && !isText(sub)) return 'sub';
  return sid === undefined || isText(sid) ? undefined : 'sid';
}

/**
 * Whether a token is for this client alone, or was issued to it where it has other audiences too, as an ID token has to be
 * (OpenID Connect Core §3.1.3.7, to which Back-Channel Logout §2.6 refers).
 */
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
