import type { Caller } from '@gatehouse/auth-core';
import type { Role, Static, TObject, TSchema } from '@gatehouse/schema';
import type { ErrorCode } from './errors.ts';
import type { Refuse } from './refusals.ts';
import type { Headers } from './request/headers.ts';
import type { NdjsonLine } from './request/ndjson.ts';
import type { RequestFacts } from './request/request-facts.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call. `public`: anyone. `token`: any genuine, unexpired token; the handler checks the session. `bearer`:
 * active sessions and static API tokens. `session`: active sessions only; `admin session`: of administrators. A list:
 * sessions and static tokens of these roles.
 */
export type Access = 'public' | 'token' | 'bearer' | 'session' | 'admin session' | readonly [Role, ...Role[]];

type SessionCaller = Extract<Caller, { kind: 'session' }>;

/** The input of a handler: plain values, checked by the route’s schemas. */
export interface Input<Deps, A, B, P, Q, N = undefined, E extends readonly ErrorCode[] = []> {
  body: Checked<B>;
  /** In order, as they arrive. */
  lines: N extends TSchema ? AsyncIterable<NdjsonLine<Static<N>>> : undefined;
  params: Checked<P>;
  query: Checked<Q>;
  caller: A extends 'public' ? null : A extends 'session' | 'admin session' ? SessionCaller : Caller;
  deps: Deps;
  request: RequestFacts;
  /** Whether the caller may do what asks a browser's session for a fresh proof of who they are; see `recent`. */
  isConfirmed: () => boolean | Promise<boolean>;
  /** For what goes on after the answer has begun: whether the caller would still be let in. */
  isStillAdmitted: () => Promise<boolean>;
  /** Makes a refusal to throw, of those that the route declares in its `errors`. */
  refuse: Refuse<E[number]>;
}

/** Everything that there is to know of an endpoint. */
export interface Endpoint<Deps, A, B, P, Q, R, N, E extends readonly ErrorCode[]> {
  method: Method;
  /** As Express writes it, with `:name` for parameters; strict about case and slashes. */
  path: string;
  /** What a generated client calls it, one of a kind over all three APIs; made of method and path by default. */
  operationId?: string;
  /** The subject under which the documents list it; by default the path's first word. */
  tag?: string;
  summary: string;
  description?: string;
  access: A;
  /**
   * A browser's session may call only if its owner has lately proved who they are; else 403 `confirmation_required`. Where
   * that depends on what is asked for, the handler asks `isConfirmed` instead and names the code in `errors`.
   */
  recent?: true;
  /** Without it the body is not read. */
  body?: B;
  /** The body is a form (`application/x-www-form-urlencoded`), as other protocols have it, and no JSON; unknown fields are dropped. */
  form?: true;
  /**
   * The schema of each line of an NDJSON stream, in place of a body. The stream may have any length: the time for an
   * answer starts again with every line that is asked for.
   */
  ndjson?: N;
  /** Parameters of the path, converted to the schema’s types like those of the query. */
  params?: P;
  query?: Q;
  /** Query parameters that the schema does not name are refused unless this says otherwise. */
  otherParameters?: 'ignored';
  /** The schema of the answer; without it there is no body. Strings are sent as text, all else as JSON. */
  response?: R;
  /** The status of a plain result, 200 by default (204 without a response schema). */
  status?: number;
  /** Other statuses that a `reply` may have, and when; redirects and 204 have no body, all others the response. */
  otherStatuses?: Readonly<Record<number, string>>;
  /**
   * The handler answers with `Reply.stream` of server-sent events, which may take for ever and of which there are so many
   * at a time (429).
   */
  stream?: true;
  /**
   * The answer may be large: of what this names there is one at a time, and few in the process (429), from before the
   * handler begins until the client has it, who is cut off when they stop reading, or after two minutes.
   */
  download?: (input: Pick<Input<Deps, A, B, P, Q, N, E>, 'caller' | 'params'>) => string;
  /** The type of a string answer; `text/plain; charset=utf-8` by default. */
  contentType?: string;
  /** The codes that the handler may refuse with, besides those that the rest of the route implies. */
  errors?: E | undefined;
  /** Headers of every successful answer, in place of the default ones. */
  headers?: Readonly<Record<string, string>>;
  /** Headers of requests that the handler reads, each with its description for the documents. */
  requestHeaders?: Readonly<Record<string, string>>;
  /** Headers that the handler adds to successful answers, each with its description for the documents. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** A header of refusals that repeats their code, for those who cannot read the body. */
  codeHeader?: string;
  /** It comes so often that of a trace it has only what it does before it first waits. */
  isFrequent?: true;
  /** Left out of the OpenAPI document. */
  undocumented?: boolean;
  handler: (input: Input<Deps, A, B, P, Q, N, E>) => Answer<NoInfer<R>> | Promise<Answer<NoInfer<R>>>;
}

export type Answer<R> = Checked<R> | Reply<Checked<R>>;

/** An endpoint without the types of its schemas, as `createApi` takes it. */
export type Route<Deps> = Endpoint<
  Deps,
  Access,
  TSchema | undefined,
  TObject | undefined,
  TObject | undefined,
  TSchema | undefined,
  TSchema | undefined,
  readonly ErrorCode[]
>;

/** What a stream sends, piece by piece. */
type Source = AsyncIterable<string, undefined>;

/** An answer with its own status or headers. */
export class Reply<T> {
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly body: T;
  readonly source: Source | undefined;

  constructor(answer: { status?: number; headers?: Headers; body: T; source?: Source }) {
    this.status = answer.status;
    this.headers = answer.headers ?? {};
    this.body = answer.body;
    this.source = answer.source;
  }

  /**
   * Sends everything that the source yields, piece by piece, without the time limit of other responses; the
   * iterator's `return` is called as soon as the client is gone. For routes that are a `stream`.
   */
  static stream(source: Source): Reply<string> {
    return new Reply({ body: '', source });
  }
}

/** Answers with its own status or headers; without a body for redirects and 204. */
export function reply(answer: { status: number; headers?: Headers }): Reply<never>;
export function reply<T>(answer: { status?: number; headers?: Headers; body: T }): Reply<T>;
export function reply(answer: { status?: number; headers?: Headers; body?: unknown }) {
  return new Reply({ ...answer, body: answer.body });
}

/**
 * A service’s `route` function, bound to its dependencies: `export const route = defineRoutes<Deps>()`. It only adds
 * types: the input and the answer of a handler follow from the schemas.
 */
export function defineRoutes<Deps>() {
  return function route<
    const A extends Access,
    R extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
    P extends TObject | undefined = undefined,
    Q extends TObject | undefined = undefined,
    N extends TSchema | undefined = undefined,
    const E extends readonly ErrorCode[] = [],
  >(endpoint: Endpoint<Deps, A, B, P, Q, R, N, E>): Route<Deps> {
    // A handler’s input is narrower than a Route’s; `mount` passes it what its own schemas accept.
    return endpoint;
  };
}

export function goodStatus(route: Pick<Route<never>, 'status' | 'response'>): number {
  return route.status ?? (route.response ? 200 : 204);
}

export function textType(route: Pick<Route<never>, 'contentType' | 'stream'>): string {
  return route.contentType ?? (route.stream ? 'text/event-stream' : 'text/plain; charset=utf-8');
}

/** Redirects and 204 consist of headers. */
export function hasNoBody(status: number): boolean {
  return status === 204 || (status >= 300 && status < 400);
}

type Checked<S> = S extends TSchema ? Static<S> : undefined;
