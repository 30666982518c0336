import { CONDITION_CODES, type LoginStatus, type Problem, PROBLEMS_MAX } from '@gatehouse/schema';
import { Unavailable, Unstorable } from '@gatehouse/runtime';

/**
 * Every way in which a call can be refused: the status and title of each code (contract, section 1). The codes
 * are stable; clients decide by them.
 */
export const ERRORS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_code: { status: 400, title: 'The code is wrong, used or expired' },
  invalid_attempt: { status: 400, title: 'The sign-on is unknown, used or expired' },
  invalid_invitation: { status: 400, title: 'The invitation is unknown, used or expired' },
  unsupported_content_kind: { status: 400, title: 'Content of this kind does not allow that' },
  token_missing: { status: 401, title: 'A bearer token is needed' },
  token_invalid: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token is expired' },
  session_replaced: { status: 401, title: 'The session was replaced by a newer login' },
  session_deactivated: { status: 401, title: 'The session was deactivated' },
  session_expired: { status: 401, title: 'The session or its account is expired' },
  session_ended: { status: 401, title: 'The session was ended' },
  invite_deleted: { status: 401, title: 'The invitation of this guest was deleted' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  wrong_password: { status: 403, title: 'The password is wrong' },
  wrong_code: { status: 403, title: 'The code is wrong' },
  account_disabled: { status: 403, title: 'The account is disabled' },
  account_expired: { status: 403, title: 'The account is expired' },
  email_confirmation_pending: { status: 403, title: 'The email address is not confirmed yet' },
  signup_pending: { status: 403, title: 'The registration is not completed yet' },
  migration_pending: { status: 403, title: 'The migrated account is not completed yet' },
  new_password_required: { status: 403, title: 'A new password must be set' },
  invitation_pending: { status: 403, title: 'The invitation is not completed yet' },
  authentication_failed: { status: 404, title: 'Authentication failed' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The body came too slowly' },
  conflict: { status: 409, title: 'The state does not allow this' },
  name_taken: { status: 409, title: 'The name is taken' },
  email_taken: { status: 409, title: 'The email address is taken' },
  precondition_failed: { status: 412, title: 'It was changed meanwhile' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  address_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'The body is of a kind that is not taken here' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too many or too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What an error carries beside its code. The detail is for the client, the cause for the log alone. */
export interface ErrorFacts {
  cause?: unknown;
  /** The fields at fault; the first twenty are told. */
  errors?: Problem[];
  /** The account's condition (specification 3.1). */
  LoginStatus?: LoginStatus;
  headers?: Record<string, string>;
  retryAfterSeconds?: number;
}

/** A refusal that a client is meant to see; thrown anywhere, answered in one place. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, detail?: string, facts: ErrorFacts = {}) {
    super(detail ?? ERRORS[code].title, { cause: facts.cause });
    this.code = code;
    this.facts = facts;
  }
}

/** The refusal of a right password whose account's condition needs action first: 403 with the `LoginStatus`. */
export function accountCondition(status: keyof typeof CONDITION_CODES): ApiError {
  return new ApiError(CONDITION_CODES[status], undefined, { LoginStatus: status });
}

/**
 * Reads anything that was thrown as what a client may see of it. What nobody foresaw becomes a 500 that says
 * nothing; its cause is for the log.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable) {
    return new ApiError('unavailable', 'Something that this needs does not answer; try again shortly', {
      cause: thrown,
      retryAfterSeconds: thrown.retryAfterSeconds,
    });
  }
  if (thrown instanceof Unstorable) {
    return new ApiError('invalid_request', 'A value cannot be stored', { cause: thrown });
  }
  return new ApiError('internal_error', undefined, { cause: thrown });
}

/** An error as RFC 9457 has it on the wire. */
export function problemBody(error: ApiError, traceId: string): Record<string, unknown> {
  const { status, title } = ERRORS[error.code];
  const { errors, LoginStatus: loginStatus } = error.facts;
  return {
    type: `urn:gatehouse:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    traceId,
    ...(errors ? { errors: errors.slice(0, PROBLEMS_MAX) } : {}),
    ...(loginStatus === undefined ? {} : { LoginStatus: loginStatus }),
  };
}

/** The headers that go with an error: who must authenticate and how (RFC 6750 §3), and when to try again. */
export function problemHeaders(error: ApiError): Record<string, string> {
  const { headers, retryAfterSeconds } = error.facts;
  const { status, title } = ERRORS[error.code];
  const all: Record<string, string> = { ...headers };
  if (status === 401) {
    all['WWW-Authenticate'] =
      error.code === 'token_missing'
        ? CHALLENGE
        : `${CHALLENGE}, error="invalid_token", error_description="${title}"`;
  }
  if (retryAfterSeconds !== undefined) all['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return all;
}

const CHALLENGE = 'Bearer realm="gatehouse"';
