import type { ClientErrorCode, LoginStatus } from 'gatehouse-client';
import type { MessageKey, Text } from './locale.ts';

/** An error of the API (RFC 9457), or the reason why there is no valid response. */
export interface Problem {
  status: number;
  /** The API's error code; `offline` if there was no response, `unexpected` if the response is not from the API. */
  code: ClientErrorCode;
  traceId?: string | undefined;
  /** The API's own reason in English, if the reader is an administrator: shown where there are no words for the code. */
  reason?: string | undefined;
  errors: { pointer: string; message: string; code: string }[];
  LoginStatus?: LoginStatus | undefined;
  retryAfterSeconds?: number | undefined;
  /** The whole body, for fields that only some errors have. */
  body: Record<string, unknown>;
}

/** `etag`: the version of the resource that was read or written, for `If-Match` (RFC 9110 §13.1.1). */
export type Result<T> = { ok: true; value: T; etag?: string } | { ok: false; problem: Problem };

/** What a form finds wrong with a field itself, as the API would say it. */
export function wrongField(name: string, code: string): Problem {
  const errors = [{ pointer: `/${name}`, message: '', code }];
  return { status: 400, code: 'invalid_request', errors, body: {} };
}

export type Operation = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

const PATIENCE_MS = 10_000;

/** Calls the API of the same origin, which identifies the session by a cookie that scripts cannot read. */
export async function call<T = Record<string, never>>(
  operation: Operation,
  body?: object | string,
  headers?: Readonly<Record<string, string>>,
): Promise<Result<T>> {
  const [method = '', path = ''] = operation.split(' ');
  try {
    const answer = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return await readAnswer<T>(answer);
  } catch {
    return { ok: false, problem: { status: 0, code: 'offline', errors: [], body: {} } };
  }
}

/** Sends something to the API, and calls `onDone` with the answer, whose type is what it takes; or returns the error. */
export async function change(operation: Operation, body: object, onDone?: (value: never) => unknown) {
  const result = await call<never>(operation, body);
  if (!result.ok) return result.problem;
  await onDone?.(result.value);
  return undefined;
}

export type Change = Parameters<typeof change>;

/**
 * Who is signed in to this browser, by the answer to a request that does not fail if it is nobody: it is the first one of
 * most pages. While version 1.0 is replaced, its gateway and instances answer that request with 404 or a page. Then it is
 * asked what both versions know.
 */
export async function findVisitor<N extends string, T>(
  name: N,
  asked: Promise<Result<Record<N, T | null>>>,
  askEarlier: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await asked;
  if (!result.ok && result.problem.status !== 404) return result;
  const visitor: T | null | undefined = result.ok ? result.value[name] : undefined;
  if (visitor === undefined) return askEarlier();
  if (visitor !== null) return { ok: true, value: visitor };
  return { ok: false, problem: { status: 401, code: 'token_missing', errors: [], body: {} } };
}

export async function readAnswer<T>(answer: Response): Promise<Result<T>> {
  const body = parsed(await answer.text());
  // The body has the type that the API documents.
  if (answer.ok) {
    const etag = answer.headers.get('ETag');
    return { ok: true, value: (body ?? {}) as T, ...(etag !== null && { etag }) };
  }
  const facts = isRecord(body) ? body : {};
  const { code, traceId, errors, LoginStatus: condition } = facts;
  const other = answer.status === 503 ? 'unavailable' : 'unexpected';
  return {
    ok: false,
    problem: {
      status: answer.status,
      code: typeof code === 'string' ? (code as ClientErrorCode) : other, // a newer service may send other codes
      traceId: typeof traceId === 'string' ? traceId : undefined,
      errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
      LoginStatus: typeof condition === 'number' ? (condition as LoginStatus) : undefined, // as above
      retryAfterSeconds: secondsOf(answer.headers.get('Retry-After')),
      body: facts,
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFieldError(value: unknown): value is Problem['errors'][number] {
  return isRecord(value) && ['pointer', 'message', 'code'].every((name) => typeof value[name] === 'string');
}

const SECONDS_MAX = 86_400;

/** Whole seconds, which is the format that our services send. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header), SECONDS_MAX) : undefined;
}

/** A form's own texts for error codes, which are more specific than the general ones. */
export type Explanations = Readonly<Partial<Record<ClientErrorCode, MessageKey>>>;

export function problemText(problem: Problem, text: Text, explanations: Explanations = {}): string {
  const key = explanations[problem.code] ?? PROBLEMS[problem.code];
  // That the request was invalid says less than why.
  if (problem.reason !== undefined && (key === undefined || key === 'problem.invalid_request'))
    return problem.reason;
  if (key !== undefined) return text(key);
  const { traceId } = problem;
  return traceId === undefined ? text('problem.unexpected') : text('problem.unexpected.trace', { traceId });
}

/** What is said if something could not be loaded: there is no form to send again. */
export const NOT_LOADED: Explanations = { unavailable: 'own.unavailable', offline: 'own.offline' };

const PROBLEMS: Explanations = {
  offline: 'problem.offline',
  unavailable: 'problem.unavailable',
  request_timeout: 'problem.unavailable',
  too_many_requests: 'problem.too_many_requests',
  invalid_request: 'problem.invalid_request',
  invalid_code: 'problem.invalid_code',
  invalid_invitation: 'problem.invalid_invitation',
  token_missing: 'problem.signed_out',
  token_invalid: 'problem.signed_out',
  token_expired: 'problem.signed_out',
  session_ended: 'problem.signed_out',
  session_expired: 'problem.signed_out',
  session_replaced: 'problem.signed_out',
  session_deactivated: 'problem.signed_out',
};
