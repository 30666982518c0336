import type { Refusal } from '@gatehouse/auth-core';
import type { RefusalCode } from '@gatehouse/redis';
import { CONDITION_CODES, type FaultCode, type Problem } from '@gatehouse/schema';
import { ApiError, replacedByOf, type ErrorCode, type ErrorFacts } from './errors.ts';

/**
 * Creates an error to throw. In a handler: one of its route’s `errors`, or one that every call can have. Code that is
 * shared by several handlers takes this function as an argument, so its type states which codes they must declare.
 */
export type Refuse<C extends ErrorCode> = (
  code: C | 'invalid_request' | 'unavailable',
  detail?: string,
  facts?: ErrorFacts,
) => ApiError;

/** Every handler’s `refuse`, which its type narrows to what the route allows. */
export const anyRefusal: Refuse<ErrorCode> = (code, detail, facts) => new ApiError(code, detail, facts);

/** The same for static tokens: nobody can confirm anything for a restricted one. */
export const tokenRefusal: Refuse<ErrorCode> = (code, detail, facts) =>
  code === 'confirmation_required'
    ? new ApiError('forbidden', 'A token with an expiry or networks must leave nothing that outlasts it')
    : anyRefusal(code, detail, facts);

/** For fields that are invalid in a way that no schema can express. */
export function invalidRequest(detail: string | undefined, facts?: { errors: Problem[] }): ApiError {
  return new ApiError('invalid_request', detail, facts);
}

export function invalidField(pointer: string, message = 'is required', code: FaultCode = 'required') {
  return invalidRequest(undefined, { errors: [{ pointer, message, code }] });
}

export function exactlyOneOf(...fields: readonly string[]): ApiError {
  const names = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  const message = `exactly one of ${names} is required`;
  return invalidRequest(`E${message.slice(1)}`, {
    errors: fields.map((field) => ({ pointer: `/${field}`, message, code: 'does_not_go_with' as const })),
  });
}

export function invalidPassword(fault: { message: string; code: FaultCode }): ApiError {
  return invalidField('/Password', fault.message, fault.code);
}

/** For a correct password: 403 with what the account requires first, and of a ban what its owner may know. */
export function accountCondition<S extends keyof typeof CONDITION_CODES>(
  refuse: Refuse<(typeof CONDITION_CODES)[S]>,
  status: S,
  ban?: { until: Date | null; reason: string | null },
): ApiError {
  return refuse(CONDITION_CODES[status], undefined, {
    LoginStatus: status,
    ...(ban?.until && { DisabledUntil: ban.until.toISOString() }),
    ...(ban?.reason && { DisabledReason: ban.reason }),
  });
}

/** For a token or cookie that is refused, with the reason. `authorization` is the header that contained it, if one did. */
export function refusedCaller<C extends RefusalCode>(
  refuse: Refuse<C>,
  { code, replacedBy }: Refusal<C>,
  authorization?: string,
): ApiError {
  const detail = code === 'token_invalid' ? mistakeIn(authorization) : undefined;
  return refuse(code, detail, { ReplacedBy: replacedByOf(replacedBy) });
}

/** What developers get wrong in the header. Its text is not repeated: it is a secret, or nearly one. */
function mistakeIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const scheme = /^(basic|bearer) (sat_)?/i.exec(authorization);
  if (scheme === null)
    return 'Invalid token: the header must be "Authorization: Bearer <token>", with the word Bearer';
  if (scheme[1]?.toLowerCase() === 'basic')
    return 'Invalid token: "Authorization: Bearer <token>" is expected here, not Basic';
  if (scheme[2] === undefined) return undefined;
  return 'Invalid token: this static API token is unknown, revoked or expired, or not accepted from this address';
}

export function confirmationRequired(refuse: Refuse<'confirmation_required'>): ApiError {
  return refuse('confirmation_required', 'Confirm who you are to do this');
}

export function tooManyFailures(
  refuse: Refuse<'too_many_requests'>,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): ApiError {
  return refuse('too_many_requests', 'Too many failed attempts; try again later', { retryAfterSeconds });
}

/**
 * For a failed login. The error says if the credential id is unknown, so that browsers can remove that passkey from
 * their list. Only an authenticator knows such ids, so this reveals nothing about any account.
 */
export function failedLogin(
  refuse: Refuse<'authentication_failed'>,
  { isUnknownPasskey = false }: { isUnknownPasskey?: boolean },
): ApiError {
  if (!isUnknownPasskey) return refuse('authentication_failed');
  const fault = {
    pointer: '/Credential/id',
    message: 'is no passkey of any account',
    code: 'unknown_object',
  } as const;
  return refuse('authentication_failed', undefined, { errors: [fault] });
}

/** For an address that requested too many mails; it reveals nothing about any account. */
export function tooManyMails(
  refuse: Refuse<'too_many_requests'>,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): ApiError {
  return refuse('too_many_requests', 'Too many emails requested from this IP address', { retryAfterSeconds });
}

/** For a correct login that finds every slot taken, if `SESSION_LIMIT` is `refuse`. */
export function sessionExists(
  refuse: Refuse<'session_exists'>,
  exists: {
    active: readonly { deviceName: string | undefined; userAgent: string | undefined; lastSeenAt: Date }[];
    takeOverToken: string;
  },
): ApiError {
  const detail = 'Send the TakeOverToken to end the session that was not seen for the longest time';
  return refuse('session_exists', detail, {
    Active: exists.active.map(({ deviceName, userAgent, lastSeenAt }) => ({
      ...(deviceName !== undefined && { DeviceName: deviceName }),
      ...(userAgent !== undefined && { UserAgent: userAgent }),
      LastSeenAt: lastSeenAt.toISOString(),
    })),
    TakeOverToken: exists.takeOverToken,
  });
}
