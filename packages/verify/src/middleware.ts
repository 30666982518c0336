import type { IncomingMessage } from 'node:http';
import type { Verifier } from './create-verifier.ts';
import { readScopes, resourceMetadata, type Answer, type IncomingRequest } from './resource.ts';
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

type Request = Pick<IncomingMessage, 'headers'> & IncomingRequest & { body?: unknown; caller?: Caller };
type Scopes<R> = readonly string[] | ((request: R) => readonly string[]);

export interface GatehouseOptions<R> {
  /** The roles of which a caller needs one; `App` for applications. */
  roles?: readonly Caller['role'][];
  /** The scopes that an application needs for this request: all of them. */
  scopes?: Scopes<R>;
}

/**
 * Accepts requests with a valid bearer token that has one of these roles and all of these scopes, and sets `req.caller`;
 * responds to others as Gatehouse does (RFC 9457, RFC 6750), and to requests for the metadata of the verifier's
 * resource. For Express 4 and 5, and compatible frameworks.
 */
export function gatehouse<R extends Request = Request>(
  verifier: Pick<Verifier, 'verifyHeader' | 'resource'>,
  { roles, scopes = [] }: GatehouseOptions<R> = {},
): (request: R, response: Answer, next: (error?: unknown) => void) => void {
  const { resource } = verifier;
  const neededFor = readNeeded(scopes);
  const describe = resource && resourceMetadata({ resource });
  const check: ReturnType<typeof gatehouse<R>> = (request, response, next) => {
    const needed = neededFor(request);
    const refuse = (problem: Problem, asked = needed): void =>
      answer(response, problem, challengeOf(problem, asked, resource?.metadataUrl));
    verifier.verifyHeader(request.headers.authorization).then((verdict) => {
      if (verdict.kind !== 'caller') return refuse(problemOf(verdict));
      if (roles !== undefined && !roles.includes(verdict.role)) return refuse(FORBIDDEN);
      const granted = verdict.app?.scopes ?? [];
      // What it has is named, too: who asks for this scope only would lose the others.
      if (!needed.every((scope) => granted.includes(scope)))
        return refuse(TOO_FEW_SCOPES, [...new Set([...needed, ...granted])]);
      request.caller = verdict;
      next();
    }, next);
  };
  if (describe === undefined) return check;
  return (request, response, next) => describe(request, response, () => check(request, response, next));
}

function readNeeded<R>(scopes: Scopes<R>): (request: R) => readonly string[] {
  if (typeof scopes === 'function') return (request) => readScopes(scopes(request));
  readScopes(scopes);
  return () => scopes;
}

interface Problem {
  status: number;
  code: string;
  /** Of RFC 6750 §3.1. */
  error?: string;
}

const FORBIDDEN: Problem = { status: 403, code: 'forbidden' };
const TOO_FEW_SCOPES: Problem = { status: 403, code: 'insufficient_scope', error: 'insufficient_scope' };

function problemOf(verdict: Exclude<Verdict, Caller>): Problem {
  if (verdict.kind === 'unavailable') return { status: 503, code: 'unavailable' };
  const { code } = verdict;
  return { status: 401, code, ...(code !== 'token_missing' && { error: 'invalid_token' }) };
}

/** What a client needs to call again (RFC 6750 §3, RFC 9728 §5.1); nothing where no other token helps. */
function challengeOf(
  { status, error }: Problem,
  scopes: readonly string[],
  metadataUrl: string | undefined,
): string | undefined {
  if (status !== 401 && error === undefined) return undefined;
  const parts = [
    'Bearer realm="gatehouse"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return parts.join(', ');
}

function answer(response: Answer, { status, code }: Problem, challenge: string | undefined): void {
  response.statusCode = status;
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (status === 503) response.setHeader('Retry-After', '2');
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify({ type: `urn:gatehouse:problem:${code}`, status, code }));
}
