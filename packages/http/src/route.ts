import type { Caller } from '@gatehouse/auth-core';
import type { Role, Static, TObject, TSchema } from '@gatehouse/schema';
import type { ErrorCode } from './errors.ts';
import type { Refuse } from './refusals.ts';
import type { Headers } from './request/headers.ts';
import type { NdjsonLine } from './request/ndjson.ts';
import type { RequestFacts } from './request/request-facts.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call: anyone (`public`); whoever shows a genuine, unexpired token, its session's state being the
 * handler's business (`token`); whoever's session is active, and static API tokens (`bearer`); active sessions
 * alone (`session`); or of sessions and static tokens only the roles in the list.
 */
export type Access = 'public' | 'token' | 'bearer' | 'session' | readonly [Role, ...Role[]];

type SessionCaller = Extract<Caller, { kind: 'session' }>;

/** What a handler is given: plain values, checked by the route's schemas. */
export interface Input<Deps, A, B, P, Q, N = undefined, E extends readonly ErrorCode[] = []> {
  body: Checked<B>;
  /** One after another, as they come. */
  lines: N extends TSchema ? AsyncIterable<NdjsonLine<Static<N>>> : undefined;
  params: Checked<P>;
  query: Checked<Q>;
  caller: A extends 'public' ? null : A extends 'session' ? SessionCaller : Caller;
  deps: Deps;
  request: RequestFacts;
  /** Makes a refusal to throw, of those that the route declares in its `errors`. */
  refuse: Refuse<E[number]>;
}

/** An endpoint: everything that there is to know of it, in one place. */
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
  /** Without a schema the body is not read. */
  body?: B;
  /**
   * What each line of an NDJSON stream holds, in the place of a body. It may be of any length: the time for an
   * answer counts anew with every line that is asked for.
   */
  ndjson?: N;
  /** Strings of the path; `coerce`d to the schema's types, as is the query. */
  params?: P;
  query?: Q;
  /** What becomes of query parameters that the schema does not name: they are refused, unless this says otherwise. */
  otherParameters?: 'ignored';
  /** What is answered; without it the answer has no body. A string is sent as text, all else as JSON. */
  response?: R;
  /** The status of a plain result, 200 by default (204 without a response schema). */
  status?: number;
  /** Other statuses that a `reply` may have, and when; redirects and 204 have no body, others the response. */
  otherStatuses?: Readonly<Record<number, string>>;
  /** What a string is sent as; `text/plain; charset=utf-8` by default. */
  contentType?: string;
  /** What the handler may refuse with, beside what any call can be refused with by the route's other members. */
  errors?: E | undefined;
  /** Headers of every good answer, over the standing ones. */
  headers?: Readonly<Record<string, string>>;
  /** Headers that the handler adds to a good answer, and what each says, for the documentation. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** A header of refusals that repeats their code, for those who cannot read the body. */
  codeHeader?: string;
  /** Left out of the OpenAPI document. */
  undocumented?: boolean;
  handler: (input: Input<Deps, A, B, P, Q, N, E>) => Answer<NoInfer<R>> | Promise<Answer<NoInfer<R>>>;
}

export type Answer<R> = Checked<R> | Reply<Checked<R>>;

/** An endpoint whose types have served their purpose: what `createApi` takes. */
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

/** An answer with a status or headers of its own. */
export class Reply<T> {
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly body: T;

  constructor(answer: { status?: number; headers?: Headers; body: T }) {
    this.status = answer.status;
    this.headers = answer.headers ?? {};
    this.body = answer.body;
  }
}

/** Answers with a status or headers of its own; without a body for redirects and 204. */
export function reply(answer: { status: number; headers?: Headers }): Reply<never>;
export function reply<T>(answer: { status?: number; headers?: Headers; body: T }): Reply<T>;
export function reply(answer: { status?: number; headers?: Headers; body?: unknown }) {
  return new Reply({ ...answer, body: answer.body });
}

/**
 * Gives a service its `route` function, bound to its dependencies: `export const route = defineRoutes<Deps>()`.
 * The function only lends its types: what a handler takes and answers is inferred from the schemas.
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
    // A handler takes narrower input than a Route's says; `mount` gives it what its own schemas let through.
    return endpoint;
  };
}

/** The status of a route's plain result. */
export function goodStatus(route: Pick<Route<never>, 'status' | 'response'>): number {
  return route.status ?? (route.response ? 200 : 204);
}

/** What a route's strings are sent as. */
export function textType(route: Pick<Route<never>, 'contentType'>): string {
  return route.contentType ?? 'text/plain; charset=utf-8';
}

/** Redirects and 204 say all that they have to say in their headers. */
export function hasNoBody(status: number): boolean {
  return status === 204 || (status >= 300 && status < 400);
}

type Checked<S> = S extends TSchema ? Static<S> : undefined;
