import { createHash } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { BoundedMap } from './bounded-map.ts';
import type { KeySet } from './key-set.ts';
import { refused, ROLES, unavailable, type Caller, type Verdict } from './verdict.ts';

export type CheckToken = (token: string) => Verdict | Promise<Verdict>;

interface Rules {
  issuer: string;
  audience: string;
  leewaySeconds: number;
  memoryMax: number;
  now: () => number;
  onError: (error: Error) => void;
}

interface Verified {
  caller: Caller;
  kid: string;
}

/**
 * Checks an access token locally (RFC 9068 §4): only ES256, its type, issuer, audience and times. A verified token is
 * cached by its digest, so that its signature is checked once, but not longer than its key is published.
 */
export function createTokenCheck(keys: KeySet, rules: Rules): CheckToken {
  const { leewaySeconds, now } = rules;
  const memory = new BoundedMap<Verified>(rules.memoryMax);
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (reported.has(problem)) return;
    reported.add(problem);
    rules.onError(new Error(problem));
  };
  const isOver = ({ expiresAt = 0 }: Caller): boolean => now() / 1000 >= expiresAt + leewaySeconds;

  const verify = async (token: string, digest: string): Promise<Verdict> => {
    const kid = readKid(token);
    if (kid === undefined) return refused('token_invalid');
    const verified = await verifyToken(token, kid, keys, { ...rules, report });
    if ('kid' in verified) memory.set(digest, verified);
    return 'kid' in verified ? verified.caller : verified;
  };

  return (token) => {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = memory.get(digest);
    if (known === undefined) return verify(token, digest);
    if (!keys.has(known.kid)) {
      memory.delete(digest);
      return verify(token, digest);
    }
    return isOver(known.caller) ? refused('token_expired') : known.caller;
  };
}

async function verifyToken(
  token: string,
  kid: string,
  keys: KeySet,
  rules: Rules & { report: (problem: string) => void },
): Promise<Verified | Verdict> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer: [rules.issuer, rules.issuer.replace(/\/$/, '')],
      ...{ audience: rules.audience, algorithms: ['ES256'], typ: 'at+jwt' },
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      clockTolerance: rules.leewaySeconds,
      maxTokenAge: LIFETIME_MAX_SECONDS,
      currentDate: new Date(rules.now()),
    });
    const caller = callerOf(payload);
    if (caller === undefined) return refused('token_invalid');
    const kind = { isApp: caller.app !== undefined, issuedAt: payload.iat ?? Infinity };
    return keys.signs(kid, kind) ? { caller, kid } : refused('token_invalid');
  } catch (error) {
    // jose has verified the signature before the times.
    if (error instanceof errors.JWTExpired) {
      return refused(callerOf(error.payload) === undefined ? 'token_invalid' : 'token_expired');
    }
    if (error instanceof errors.JWTClaimValidationFailed) {
      const configured = { iss: rules.issuer, aud: rules.audience }[error.claim];
      const said = error.payload[error.claim];
      if (configured !== undefined && typeof said === 'string')
        rules.report(`tokens say ${error.claim} ${said}, you configured ${configured}`);
    }
    if (error instanceof errors.JOSEError) return refused('token_invalid');
    return unavailable('the keys of Gatehouse cannot be fetched');
  }
}

/** The caller of a token, if each claim has the form that Gatehouse writes. */
function callerOf(payload: JWTPayload): Caller | undefined {
  const { sub, sid, jti, role, aud, iat, exp } = payload;
  // jose also accepts a list that contains the audience, but it must be the only one.
  if (typeof aud !== 'string' || typeof jti !== 'string' || jti === '') return undefined;
  if (!isUuid(sub) || !isMoment(iat) || !isMoment(exp)) return undefined;
  if (exp <= iat || exp - iat > LIFETIME_MAX_SECONDS) return undefined;
  if ('client_id' in payload) return appOf(payload, { sub, expiresAt: exp });
  if (!isUuid(sid) || !isRole(role)) return undefined;
  return { kind: 'caller', role, accountId: sub, sessionId: sid, expiresAt: exp };
}

/** The caller of an application's token: it has no role, and without a session it is the application's own. */
function appOf(
  { sid, role, client_id: clientId, scope, client_session: clientSession }: JWTPayload,
  { sub, expiresAt }: { sub: string; expiresAt: number },
): Caller | undefined {
  if (role !== undefined || !isUuid(clientId) || typeof scope !== 'string') return undefined;
  const app = { clientId, scopes: scope.split(' ').filter((one) => one !== '') };
  const common = { kind: 'caller', role: 'App', expiresAt, app } as const;
  if (sid === undefined && clientSession === undefined) {
    return sub === clientId ? { ...common, accountId: undefined, sessionId: undefined } : undefined;
  }
  if (!isUuid(sid) || !isUuid(clientSession)) return undefined;
  return { ...common, accountId: sub, sessionId: sid, app: { ...app, clientSessionId: clientSession } };
}

/** The longest lifetime that an installation can configure. */
const LIFETIME_MAX_SECONDS = 86_400;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

function isRole(value: unknown): value is (typeof ROLES)[number] {
  return (ROLES as readonly unknown[]).includes(value);
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

const LENGTH_MAX = 4096;
/** r and s of P-256, 32 bytes each (RFC 7518 §3.4). */
const SIGNATURE_BYTES = 64;

/**
 * The `kid` of a text that is spelled exactly like Gatehouse's access tokens; nothing is verified. Only one spelling is
 * valid: canonical base64url, JSON as `JSON.stringify` writes it, a header of `alg`, `typ` and `kid`. So a token never
 * says how to verify it (`jwk`, `jku`, `crit`, …), and no two parsers can read it differently.
 */
function readKid(token: string): string | undefined {
  if (token.length > LENGTH_MAX) return undefined;
  const [headerPart, payloadPart, signaturePart, ...more] = token.split('.');
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined) return undefined;
  if (more.length > 0 || readBytes(signaturePart)?.length !== SIGNATURE_BYTES) return undefined;
  const header = readObject(headerPart);
  if (header === undefined || readObject(payloadPart) === undefined) return undefined;
  const { alg, typ, kid } = header;
  if (Object.keys(header).length !== 3 || alg !== 'ES256' || typ !== 'at+jwt') return undefined;
  return typeof kid === 'string' ? kid : undefined;
}

function readObject(part: string): Record<string, unknown> | undefined {
  const bytes = readBytes(part);
  if (bytes === undefined) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    // A non-null object that is not an array has string keys.
    return JSON.stringify(value) === text ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Node also decodes padding, the other alphabet and surplus bits: only canonical base64url is accepted. */
function readBytes(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
