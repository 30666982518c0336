import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Verifier } from './create-verifier.ts';
import type { Caller, Verdict } from './verdict.ts';

declare global {
  // Adds to the type of Express's requests.
  namespace Express {
    interface Request {
      /** The caller, set by the middleware of `gatehouse-verify`. */
      caller?: Caller;
    }
  }
}

type Answer = Pick<ServerResponse, 'statusCode' | 'setHeader' | 'end'>;

/**
 * Accepts requests with a valid bearer token of one of these roles and sets `req.caller`; responds to others as
 * Gatehouse does (RFC 9457). For Express 4 and 5, and compatible frameworks.
 */
export function gatehouse(
  verifier: Pick<Verifier, 'verifyHeader'>,
  { roles }: { roles?: readonly Caller['role'][] } = {},
): (
  request: Pick<IncomingMessage, 'headers'> & { caller?: Caller },
  response: Answer,
  next: (error?: unknown) => void,
) => void {
  return (request, response, next) => {
    verifier.verifyHeader(request.headers.authorization).then((verdict) => {
      if (verdict.kind !== 'caller') return answer(response, problemOf(verdict));
      if (roles !== undefined && !roles.includes(verdict.role)) return answer(response, FORBIDDEN);
      request.caller = verdict;
      next();
    }, next);
  };
}

interface Problem {
  status: number;
  code: string;
  headers: Record<string, string>;
}

const FORBIDDEN: Problem = { status: 403, code: 'forbidden', headers: {} };

function problemOf(verdict: Exclude<Verdict, Caller>): Problem {
  if (verdict.kind === 'unavailable') {
    return { status: 503, code: 'unavailable', headers: { 'Retry-After': '2' } };
  }
  const error = verdict.code === 'token_missing' ? '' : ', error="invalid_token"';
  const headers = { 'WWW-Authenticate': `Bearer realm="gatehouse"${error}` };
  return { status: 401, code: verdict.code, headers };
}

function answer(response: Answer, { status, code, headers }: Problem): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify({ type: `urn:gatehouse:problem:${code}`, status, code }));
}
