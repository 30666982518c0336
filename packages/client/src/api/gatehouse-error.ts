import type { ActiveSession, ErrorCode, FieldError, LoginStatus, ReplacedBy } from './api-types.ts';

/**
 * Why a call failed: an error code of the API (docs/errors.md), or one of the client. `offline`: no response was
 * received, or a chunk of the client could not be loaded. `unexpected`: the response is not from the API. `signed_out`:
 * nobody is signed in. `superseded`: another sign-in or sign-out has happened since the call began.
 */
export type ClientErrorCode = ErrorCode | 'offline' | 'unexpected' | 'signed_out' | 'superseded';

interface Facts {
  /** The HTTP status, or 0 if there was no response. */
  status: number;
  code: ClientErrorCode;
  detail?: string | undefined;
  /** The invalid fields. */
  pointers?: readonly FieldError[];
  traceId?: string | undefined;
  loginStatus?: LoginStatus | undefined;
  replacedBy?: ReplacedBy | undefined;
  body?: Problem;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** The error of every rejected call of the client. Check `code`; `detail` is for people and may change. */
export class GatehouseError extends Error {
  override name = 'GatehouseError';
  declare readonly status: number;
  declare readonly code: ClientErrorCode;
  declare readonly detail: string | undefined;
  declare readonly pointers: readonly FieldError[];
  declare readonly traceId: string | undefined;
  declare readonly loginStatus: LoginStatus | undefined;
  declare readonly replacedBy: ReplacedBy | undefined;
  /** The whole response, with the fields that only some errors have. */
  declare readonly body: Problem | undefined;
  declare readonly retryAfterSeconds: number | undefined;

  constructor(facts: Facts) {
    super(facts.detail ?? facts.code);
    Object.assign(this, { pointers: [], ...facts });
  }
}

/** A problem document (RFC 9457). */
interface Problem {
  code?: ErrorCode;
  detail?: string;
  traceId?: string;
  errors?: readonly FieldError[];
  LoginStatus?: LoginStatus;
  ReplacedBy?: ReplacedBy;
  Active?: readonly ActiveSession[];
  TakeOverToken?: string;
}

/** Converts an unsuccessful response to an error. Reads its body. */
export async function errorOf(response: Response): Promise<GatehouseError> {
  // Gatehouse's own JSON errors have this shape; other responses (such as a proxy's) carry no details.
  const problem = ((await response.json().catch(() => undefined)) ?? {}) as Problem;
  const { status } = response;
  const { code = status === 503 ? 'unavailable' : 'unexpected', detail, traceId, errors = [] } = problem;
  return new GatehouseError({
    status,
    code,
    detail,
    traceId,
    pointers: errors,
    loginStatus: problem.LoginStatus,
    replacedBy: problem.ReplacedBy,
    body: problem,
    retryAfterSeconds: retryAfterOf(response),
  });
}

/** The seconds until the next try. Proxies may send a date instead (RFC 9110 §10.2.3). */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? +text : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

/** What a browser hides: a call that CORS forbids looks like one without a network. */
const NO_ANSWER = 'No answer. In a browser: is the origin of this page in CORS_ORIGINS of Gatehouse?';

/** An error that was detected by the client, not reported by the server. */
export function ownError(code: ClientErrorCode, cause?: unknown): GatehouseError {
  return new GatehouseError({ status: 0, code, detail: code === 'offline' ? NO_ANSWER : undefined, cause });
}

/** Throws the error for a request without a response, or for a chunk that could not be loaded. */
export function throwOffline(cause: unknown): never {
  throw ownError('offline', cause);
}
