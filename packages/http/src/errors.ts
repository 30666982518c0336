import type { Replacement } from '@gatehouse/auth-core';
import { CONDITION_CODES, Optional, PROBLEMS_MAX, Timestamp, Type } from '@gatehouse/schema';
import type { LoginStatus, Problem, Static } from '@gatehouse/schema';
import { Unavailable, Unstorable } from '@gatehouse/runtime';

/** All error codes with status and title (docs/errors.md). Codes are stable: clients base decisions on them. */
export const ERRORS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_code: { status: 400, title: 'Invalid or expired code' },
  invalid_attempt: { status: 400, title: 'Invalid or expired single sign-on attempt' },
  invalid_invitation: { status: 400, title: 'Invalid or expired invitation' },
  unsupported_content_kind: { status: 400, title: 'Unsupported content kind' },
  not_ndjson: { status: 400, title: 'Not NDJSON' },
  invalid_grant: { status: 400, title: 'Invalid or expired code or refresh token' },
  invalid_scope: { status: 400, title: 'Scope not allowed' },
  invalid_target: { status: 400, title: 'Unknown resource' },
  unauthorized_client: { status: 400, title: 'Grant type not allowed for this client' },
  unsupported_grant_type: { status: 400, title: 'Unsupported grant type' },
  authorization_pending: { status: 400, title: 'Not approved yet' },
  slow_down: { status: 400, title: 'Asked too often' },
  expired_token: { status: 400, title: 'Device code expired' },
  access_denied: { status: 400, title: 'Denied by the user' },
  unsupported_token_type: { status: 400, title: 'Token cannot be revoked' },
  invalid_client: { status: 401, title: 'Client authentication failed' },
  token_missing: { status: 401, title: 'Bearer token required' },
  token_invalid: { status: 401, title: 'Invalid token' },
  token_expired: { status: 401, title: 'Token expired' },
  session_replaced: { status: 401, title: 'Session replaced by a newer login' },
  session_deactivated: { status: 401, title: 'Session deactivated' },
  session_expired: { status: 401, title: 'Session or account expired' },
  session_ended: { status: 401, title: 'Session ended' },
  invite_deleted: { status: 401, title: 'Guest invitation deleted' },
  forbidden: { status: 403, title: 'Forbidden' },
  insufficient_scope: { status: 403, title: 'Scope missing' },
  confirmation_required: { status: 403, title: 'Confirmation required' },
  cross_site: { status: 403, title: 'Cross-site request refused' },
  wrong_password: { status: 403, title: 'Wrong password' },
  wrong_code: { status: 403, title: 'Wrong code' },
  mail_code_required: { status: 403, title: 'Code from an email required' },
  account_disabled: { status: 403, title: 'Account disabled' },
  account_expired: { status: 403, title: 'Account expired' },
  email_confirmation_pending: { status: 403, title: 'Email address not confirmed' },
  signup_pending: { status: 403, title: 'Registration not completed' },
  migration_pending: { status: 403, title: 'Account migration not completed' },
  new_password_required: { status: 403, title: 'New password required' },
  invitation_pending: { status: 403, title: 'Invitation not accepted' },
  authentication_failed: { status: 404, title: 'Authentication failed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  client_declared: { status: 409, title: 'Application declared in a file' },
  name_taken: { status: 409, title: 'Name already taken' },
  identity_taken: { status: 409, title: 'Identity already linked to another account' },
  own_account: { status: 409, title: 'Not possible for your own account' },
  session_exists: { status: 409, title: 'Signed in on another device' },
  email_taken: { status: 409, title: 'Email address already taken' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Request body too large' },
  uri_too_long: { status: 414, title: 'URI too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Request header fields too large' },
  internal_error: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const SESSION_REFUSALS = [
  'session_replaced',
  'session_deactivated',
  'session_expired',
  'session_ended',
  'invite_deleted',
] as const satisfies ErrorCode[];

export const ACCOUNT_CONDITIONS = Object.values(CONDITION_CODES) satisfies ErrorCode[];

/** What the owner of a replaced session may see of the login that replaced it; the IP address is not included. */
export const ReplacedBy = Type.Object(
  {
    DeviceName: Optional.String(),
    UserAgent: Optional.String(),
    At: Timestamp(),
    Tag: Optional.String({ description: 'The tag of the session, if it has one' }),
  },
  { title: 'ReplacedBy', description: 'The login that replaced the session, if it is known' },
);
export type ReplacedBy = Static<typeof ReplacedBy>;

export function replacedByOf(replacement: Replacement | undefined): ReplacedBy | undefined {
  if (replacement === undefined) return undefined;
  const { deviceName, userAgent, at, tag } = replacement;
  return {
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    ...(userAgent !== undefined && { UserAgent: userAgent }),
    At: at.toISOString(),
    ...(tag !== undefined && { Tag: tag }),
  };
}

/** A session that takes a slot, as its owner may see it before the login is complete. */
export const ActiveSession = Type.Object(
  {
    DeviceName: Optional.String(),
    UserAgent: Optional.String(),
    LastSeenAt: Timestamp(),
  },
  { title: 'ActiveSession' },
);
export type ActiveSession = Static<typeof ActiveSession>;

/** The detail is sent to the client, the cause is only logged. */
export interface ErrorFacts {
  cause?: unknown;
  /** The invalid fields; the first twenty are reported. */
  errors?: Problem[];
  LoginStatus?: LoginStatus;
  /** Until when and why the account is disabled, if its owner may know. */
  DisabledUntil?: string;
  DisabledReason?: string;
  ReplacedBy?: ReplacedBy | undefined;
  /** The sessions that take the slots which a login would need. */
  Active?: ActiveSession[];
  /** Stands for that login, and takes over a slot. */
  TakeOverToken?: string;
  headers?: Record<string, string>;
  retryAfterSeconds?: number;
}

/** An error for the client. Code may throw it anywhere; one place turns it into a response. */
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

/** An unexpected error becomes a 500 without details; its cause is only logged. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable) {
    return new ApiError('unavailable', 'A required backend is not responding; try again shortly', {
      cause: thrown,
      retryAfterSeconds: thrown.retryAfterSeconds,
    });
  }
  if (thrown instanceof Unstorable) {
    return new ApiError('invalid_request', 'A value contains characters that cannot be stored', {
      cause: thrown,
    });
  }
  return new ApiError('internal_error', undefined, { cause: thrown });
}

/** The error as problem details (RFC 9457). */
export function problemBody(error: ApiError, traceId: string): Record<string, unknown> {
  const { status, title } = ERRORS[error.code];
  const { facts } = error;
  return {
    type: `urn:gatehouse:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    traceId,
    // JSON leaves out what is undefined.
    errors: facts.errors?.slice(0, PROBLEMS_MAX),
    LoginStatus: facts.LoginStatus,
    DisabledUntil: facts.DisabledUntil,
    DisabledReason: facts.DisabledReason,
    ReplacedBy: facts.ReplacedBy,
    Active: facts.Active,
    TakeOverToken: facts.TakeOverToken,
  };
}

/** The headers of an error response: how to authenticate (RFC 6750 §3), and when to retry. */
export function problemHeaders(error: ApiError): Record<string, string> {
  const { headers, retryAfterSeconds } = error.facts;
  const { status, title } = ERRORS[error.code];
  const all: Record<string, string> = { ...headers };
  if (status === 401) {
    all['WWW-Authenticate'] =
      error.code === 'invalid_client'
        ? CLIENT_CHALLENGE
        : error.code === 'token_missing'
          ? CHALLENGE
          : `${CHALLENGE}, error="invalid_token", error_description="${title}"`;
  }
  if (error.code === 'insufficient_scope')
    all['WWW-Authenticate'] = `${CHALLENGE}, error="insufficient_scope"`;
  if (retryAfterSeconds !== undefined) all['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return all;
}

/** RFC 6749 §5.2. */
const CLIENT_CHALLENGE = 'Basic realm="gatehouse"';
const CHALLENGE = 'Bearer realm="gatehouse"';

export const OAuthError = Type.Object(
  {
    error: Type.String({ examples: ['invalid_grant'] }),
    error_description: Type.String({ description: 'For developers; may change' }),
  },
  { title: 'OAuthError', description: 'An error of an OAuth endpoint (RFC 6749, section 5.2)' },
);

/** An error in the form of RFC 6749 §5.2. */
export function oauthErrorBody(error: ApiError): { error: string; error_description: string } {
  const faults = (error.facts.errors ?? []).map(({ pointer, message }) => `${pointer.slice(1)} ${message}`);
  const description = [error.message, ...faults].join('; ');
  return { error: oauthCodeOf(error.code), error_description: printable(description) };
}

export function oauthCodeOf(code: ErrorCode): string {
  if (OAUTH_CODES.has(code)) return code;
  const { status } = ERRORS[code];
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  if (status === 500) return 'server_error';
  if (status === 401) return 'invalid_token';
  return 'invalid_request';
}

/** Codes that have the same name in the standards (RFC 6749, 6750, 7009, 8628 and 8707). */
const OAUTH_CODES = new Set<ErrorCode>([
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'unsupported_token_type',
  'invalid_client',
  'insufficient_scope',
]);

/** Only characters that the standard allows (RFC 6749 §5.2). */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'").slice(0, 500);
}
