import type { Caller } from '@gatehouse/auth-core';
import { Type, Uuid, type Role, type Static, type TObject, type TSchema } from '@gatehouse/schema';
import type { ErrorCode } from './errors.ts';
import type { EVENT_STREAM, NDJSON, SentAs } from './media-type.ts';
import type { Refuse } from './refusals.ts';
import type { ResponseRules } from './request/exchange.ts';
import type { Headers } from './request/headers.ts';
import type { NdjsonLine } from './request/ndjson.ts';
import type { RequestFacts } from './request/request-facts.ts';
import type { StreamWriter } from './stream/streams.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call. `public`: anyone. `token`: any valid, unexpired token; the handler checks the session. `bearer`:
 * active sessions and static API tokens. `session`: active sessions only; `admin session`: those of administrators. A
 * list: sessions and static tokens with one of these roles. Only a list that names it admits the role `Feed`.
 */
export type Access = 'public' | 'token' | 'bearer' | 'session' | 'admin session' | readonly [Role, ...Role[]];

/**
 * Whether a route requires a fresh proof of the caller's identity: always; always of a person (`session`); if what `when`
 * says is true, which the handler finds out; or never, for the given reason. A restricted static token, which must leave
 * nothing that could do more than itself, has no such proof: `session` is for what only takes away or shows, or passes on
 * the token's restrictions. docs/roles.md shows these texts.
 */
export type FreshProof = true | 'session' | { when: string } | { never: string };

/** Requires of every route that writes on somebody's behalf that it says whether it needs a fresh proof. */
export type SaysFreshProof = { method: 'get' } | { access: 'public' } | { recent: FreshProof };

type SessionCaller = Extract<Caller, { kind: 'session' }>;

/** The input of a handler: plain values, validated by the route’s schemas. */
export interface Input<Deps, A, B, P, Q, E extends readonly ErrorCode[] = []> {
  body: B extends SentAs<typeof NDJSON> ? AsyncIterable<NdjsonLine<Checked<B>>> : Checked<B>;
  params: Checked<P>;
  query: Checked<Q>;
  caller: A extends 'public' ? null : A extends 'session' | 'admin session' ? SessionCaller : Caller;
  deps: Deps;
  request: RequestFacts;
  /** Whether the caller may do what requires a fresh proof of identity; see `recent`. */
  isConfirmed: () => boolean | Promise<boolean>;
  /** Whether the caller would still be admitted, for work that continues after the response has started. */
  isStillAdmitted: () => Promise<boolean>;
  refuse: Refuse<E[number]>;
}

/** An endpoint without where it is and what the routes of its subject have in common. */
interface Declared<Deps, A, B, P, Q, R, E extends readonly ErrorCode[]> {
  /** The operation's name in generated clients, unique over all three APIs; derived from method and path by default. */
  operationId?: string;
  /** The subject that groups it in the documents; by default the first word of the path. */
  tag?: string;
  summary: string;
  description?: string;
  /**
   * Whether callers must have proved their identity recently; without that, 403 `confirmation_required`. With `when`,
   * the handler calls `isConfirmed` and lists the code in `errors`.
   */
  recent?: FreshProof;
  /** The schema of the body, which is JSON or a `form` or `ndjson`; without it the body is not read. */
  body?: B;
  /** Query parameters; others are refused, or ignored with `openQuery` and by public documents without any. */
  query?: Q;
  /**
   * The schema of the response; without it there is no body. Strings are sent as text, everything else as JSON; see also
   * `textAs`, `bytesAs` and `eventStream`.
   */
  response?: R;
  /**
   * The status of the response, 200 by default (204 without a response schema); or all that a `reply` may have, and when.
   * Redirects and 204 have no body, all others the response.
   */
  status?: number | Readonly<Record<number, string>>;
  /** The error codes that the handler may use, besides those that the rest of the route implies. */
  errors?: E | undefined;
  headers?: RouteHeaders;
  rules?: RouteRules;
  handler: (input: Input<Deps, A, B, P, Q, E>) => Answer<NoInfer<R>> | Promise<Answer<NoInfer<R>>>;
}

interface RouteHeaders {
  /** Those of every successful response, replacing the default ones. */
  fixed?: Readonly<Record<string, string>>;
  /** Those of requests that the handler reads, each with its description for the documents. */
  request?: Readonly<Record<string, string>>;
  /** Those that the handler adds to successful responses, each with its description for the documents. */
  response?: Readonly<Record<string, string>>;
}

export interface RouteRules extends ResponseRules {
  /** Called so often that its trace contains only the work before its first await. */
  isFrequent?: true;
  /**
   * The response may be large. There is one at a time for each object that the path names, or else for each caller, and
   * few in the process (429), counted from before the handler runs until the client has received it. The client is
   * disconnected when it stops reading, or after two minutes.
   */
  isDownload?: true;
}

export type Answer<R> = R extends SentAs<typeof EVENT_STREAM> ? StreamWriter : Checked<R> | Reply<Checked<R>>;

/** An endpoint without the types of its schemas, as `createApi` accepts it. */
export interface Route<Deps> extends Declared<
  Deps,
  Access,
  TSchema | undefined,
  TObject | undefined,
  TObject | undefined,
  TSchema | undefined,
  readonly ErrorCode[]
> {
  method: Method;
  /** An Express path with `:name` for parameters; case and slashes are compared strictly. */
  path: string;
  access: Access;
  /** Path parameters; like those of the query they are converted to the schema’s types. */
  params?: TObject | undefined;
}

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

/** Creates a response with its own status or headers; without a body for redirects and 204. */
export function reply(answer: { status: number; headers?: Headers }): Reply<never>;
export function reply<T>(answer: { status?: number; headers?: Headers; body: T }): Reply<T>;
export function reply(answer: { status?: number; headers?: Headers; body?: unknown }) {
  return new Reply({ ...answer, body: answer.body });
}

/** Where a route is: `GET /admin/webhook/:id`. */
export type At<M extends Method = Method> = `${Uppercase<M>} /${string}`;

/**
 * Creates a service’s `routeOf`, with which a subject says once what its routes have in common; `access` is that of routes
 * that say nothing else. `const route = routeOf({ tag: 'Mails', access: ['Admin'] }); route('GET /admin/mail/:id', { … })`.
 * Path parameters are UUIDs, except those in `params`. `Rule` is what all routes of the service must fulfil besides.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a service states its rule once, for all its routes
export function defineSubjects<Deps, Rule = unknown>() {
  return <const C extends Access | undefined = undefined>(common: { tag?: string; access?: C }) =>
    function route<
      L extends At,
      const A extends Access = C extends Access ? C : never,
      R extends TSchema | undefined = undefined,
      B extends TSchema | undefined = undefined,
      const P extends { [N in NamesIn<L>]?: TSchema } = { [N in NamesIn<L>]: ReturnType<typeof Uuid> },
      Q extends TObject | undefined = undefined,
      const E extends readonly ErrorCode[] = [],
    >(
      at: L,
      endpoint: Declared<Deps, A, B, ParamsOf<L, P>, Q, R, E> & { params?: P } & (C extends Access
          ? { access?: A }
          : { access: A }) &
        ({ method: MethodOf<L>; access: A } extends Rule ? unknown : { recent: FreshProof }),
    ): Route<Deps> {
      // A handler’s input is narrower than a Route’s; `mount` passes only input that its schemas accept. Without an
      // access of its own, it has that of the subject.
      return { ...common, ...endpoint, ...placed(at, endpoint.params) } as Route<Deps>;
    };
}

export function placed(at: At, declared: Readonly<Record<string, TSchema | undefined>> = {}) {
  const [method, path] = at.split(' ') as [string, string]; // as its type says
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, declared[name] ?? Uuid()]));
  return {
    method: method.toLowerCase() as Method,
    path,
    ...(names.length > 0 && { params: Type.Object(params) }),
  };
}

type MethodOf<L> = L extends `${infer M} ${string}` ? Lowercase<M> : never;
type NamesIn<L> = L extends `${string}/:${infer N}/${infer More}`
  ? N | NamesIn<`/${More}`>
  : L extends `${string}/:${infer N}`
    ? N
    : never;
type ParamsOf<L, P> = TObject<{
  [N in NamesIn<L>]: N extends keyof P ? Extract<P[N], TSchema> : ReturnType<typeof Uuid>;
}>;

type Successful = Pick<Route<never>, 'status' | 'response'>;

/** The status of a plain result. */
export function successStatus({ status, response }: Successful): number {
  return typeof status === 'number' ? status : response ? 200 : 204;
}

/** Every status of a successful response, and when it has it. */
export function successStatuses(route: Successful): Readonly<Record<number, string>> {
  if (typeof route.status === 'object') return route.status;
  const status = successStatus(route);
  return { [status]: hasNoBody(status) ? 'Success, without a response body' : 'Success' };
}

export function hasNoBody(status: number): boolean {
  return status === 204 || (status >= 300 && status < 400);
}

type Checked<S> = S extends TSchema ? Static<S> : undefined;
