import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Auth, Caller, Refusal, ShownCookie } from '@gatehouse/auth-core';
import type { Check } from '@gatehouse/schema';
import type { Express, NextFunction, Request, Response } from 'express';
import { FORM_BODY, JSON_BODY, readBody } from '../request/body.ts';
import { browserCookieOf, refuseCrossSite } from '../request/browser-cookie.ts';
import { ApiError } from '../errors.ts';
import { partsOf, piecesOf, type DownloadPlace } from './downloads.ts';
import { Exchange, type Traffic } from '../request/exchange.ts';
import { STANDING_HEADERS, withHeaders } from '../request/headers.ts';
import { FORM, NDJSON } from '../media-type.ts';
import { withMisspelt } from '../request/misspelt.ts';
import { readNdjson } from '../request/ndjson.ts';
import { readQuery } from '../request/pairs.ts';
import type { Prepared } from './prepare.ts';
import { StreamWriter, type Place } from '../stream/streams.ts';
import { anyRefusal, confirmationRequired, refusedCaller, tokenRefusal } from '../refusals.ts';
import { hasNoBody, Reply, type Access } from '../route.ts';
import { preflightHeaders } from './cors.ts';

export interface Frame<Deps> {
  deps: Deps;
  auth: Auth;
  traffic: Traffic;
}

function serve<Deps>(
  prepared: Prepared<Deps>,
  frame: Frame<Deps>,
  message: IncomingMessage & { params: Record<string, unknown> },
  response: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(frame.traffic, prepared.route.path, message, response);
  exchange.rules = prepared.rules;
  if (exchange.span === undefined) return answerRequest(prepared, frame, exchange, message);
  const { tracing } = frame.traffic;
  const answer = (): Promise<void> => answerRequest(prepared, frame, exchange, message);
  return prepared.rules.isFrequent === true
    ? tracing.atFirst(exchange.span, answer)
    : tracing.within(exchange.span, answer);
}

/** Authenticate → validate → handle → validate → send. What is there is not awaited: every await costs a turn. */
async function answerRequest<Deps>(
  prepared: Prepared<Deps>,
  frame: Frame<Deps>,
  exchange: Exchange,
  message: IncomingMessage & { params: Record<string, unknown> },
): Promise<void> {
  const { route, rules } = prepared;
  /** Of the body's fields, before the unknown ones are dropped. */
  let names: readonly string[] = [];
  let place: Place | undefined;
  let download: DownloadPlace | undefined;
  try {
    if (route.access !== 'public') {
      const cookie = browserCookieOf(message, frame.auth.sites);
      if (cookie !== undefined) refuseCrossSite(message, cookie.site);
      const found = authenticate(exchange, route.access, frame.auth, cookie);
      admit(exchange, route.access, found instanceof Promise ? await found : found);
    }
    const isConfirmed = () => exchange.caller !== null && frame.auth.isConfirmed(exchange.caller);
    const isToken = exchange.caller?.kind === 'service';
    const refuse = isToken ? tokenRefusal : anyRefusal;
    const asksAlways = route.recent === true || (route.recent === 'session' && !isToken);
    if (asksAlways && !(await isConfirmed())) throw confirmationRequired(refuse);
    const params = prepared.checkParams && checked(prepared.checkParams, { ...message.params }, '/path');
    const query = queryOf(prepared, message.url);
    const { bodyType, checkBody } = prepared;
    let body: unknown;
    if (checkBody !== undefined && bodyType === NDJSON) {
      body = readNdjson(exchange, checkBody, () => recheckAccess(exchange, route.access, frame.auth));
    } else if (checkBody !== undefined) {
      // After a microtask the parser has processed the bytes that contained the head, and usually the body.
      if (!message.complete) await MICROTASK;
      const read = readBody(message, exchange.response, bodyType === FORM ? FORM_BODY : JSON_BODY);
      const given =
        read instanceof Promise ? await patiently(exchange, read, route.access, frame.auth) : read;
      names = Object.keys(given);
      body = checked(checkBody, given, '');
    }
    const { caller, facts: request } = exchange;
    if (prepared.isStream) place = frame.traffic.streams.take(caller);
    const isStillAdmitted = () => wouldBeAdmitted(exchange, route.access, frame.auth);
    const { deps } = frame;
    const given = { body, params, query, caller, deps, request, isConfirmed, isStillAdmitted, refuse };
    // The checks have just converted it to the route’s types.
    const input = given as Parameters<typeof route.handler>[0];
    if (rules.isDownload === true) download = frame.traffic.downloads.take(caller, input.params);
    const result: unknown =
      exchange.span === undefined || rules.isFrequent !== true
        ? route.handler(input)
        : frame.traffic.tracing.atFirst(exchange.span, () => route.handler(input));
    const answer: unknown = result instanceof Promise ? await result : result;
    if (place !== undefined) stream(exchange, prepared, answer, place);
    else if (download === undefined) send(exchange, prepared, answer);
    else await sendDownload(exchange, prepared, answer, download);
  } catch (thrown) {
    place?.leave();
    download?.leave();
    exchange.refuse(withMisspelt(thrown, names, route.body));
  }
}

const MICROTASK = Promise.resolve();

async function patiently<T>(exchange: Exchange, read: Promise<T>, access: Access, auth: Auth): Promise<T> {
  exchange.awaitBody();
  const body = await read;
  exchange.work();
  await recheckAccess(exchange, access, auth);
  return body;
}

/** How long a revocation may go unnoticed by a request that is still sending its body. */
const ADMISSION_MS = 250;

/** A client that delays its body must not be served after it has lost access. */
async function recheckAccess(exchange: Exchange, access: Access, auth: Auth): Promise<void> {
  const { caller, authorization } = exchange;
  const now = performance.now();
  if (caller === null || access === 'token' || now - exchange.admittedAt < ADMISSION_MS) return;
  exchange.admittedAt = now;
  admit(exchange, access, await auth.recheckAccess(caller, authorization, exchange.facts.address));
}

/** @throws {Unavailable} if it cannot be determined. */
async function wouldBeAdmitted(exchange: Exchange, access: Access, auth: Auth): Promise<boolean> {
  try {
    await recheckAccess(exchange, access, auth);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function authenticate({ authorization, facts }: Exchange, access: Access, auth: Auth, cookie?: ShownCookie) {
  return access === 'token'
    ? auth.verify(authorization, cookie, facts.address)
    : auth.authenticate(authorization, cookie, facts.address);
}

function admit(exchange: Exchange, access: Access, found: Caller | Refusal): void {
  if (found.kind === 'refused') throw refusedCaller(anyRefusal, found, exchange.authorization);
  exchange.caller = found;
  const isForSessions = access === 'session' || access === 'admin session';
  if (isForSessions && found.kind !== 'session') {
    throw new ApiError(
      'forbidden',
      'This endpoint requires the access token of a session, not a static API token',
    );
  }
  const hasRole =
    access === 'admin session'
      ? found.role === 'Admin'
      : typeof access === 'string'
        ? found.role !== 'Feed'
        : access.includes(found.role);
  if (!hasRole) throw new ApiError('forbidden', 'Your role does not permit this operation');
}

/** Validates a value and drops unknown fields. `place` is the prefix of the pointers in problems. */
function checked(check: Check, value: object, place: string): unknown {
  const problems = check(value);
  if (problems === undefined) return value;
  throw new ApiError('invalid_request', 'The request failed validation', {
    errors: problems.map((problem) => ({ ...problem, pointer: place + problem.pointer })),
  });
}

function queryOf<Deps>({ route, checkQuery }: Prepared<Deps>, url = ''): unknown {
  const start = url.indexOf('?');
  if (start === -1 && route.query === undefined) return undefined;
  return checked(checkQuery, readQuery(start === -1 ? '' : url.slice(start + 1)), '/query');
}

function send<Deps>(exchange: Exchange, prepared: Prepared<Deps>, result: unknown): void {
  const { status, headers, body } = answerOf(prepared, result);
  checkAnswer(prepared, status, body);
  exchange.answer(status, headers, body === undefined || isReady(body) ? body : JSON.stringify(body));
}

/** Sends a response that may be large without blocking the event loop. */
async function sendDownload<Deps>(
  exchange: Exchange,
  prepared: Prepared<Deps>,
  result: unknown,
  place: DownloadPlace,
): Promise<void> {
  const { status, headers, body } = answerOf(prepared, result);
  for (const part of partsOf(body)) {
    checkAnswer(prepared, status, part);
    await nextTurn();
  }
  const pieces = await piecesOf(body);
  place.leaveOnceSent(exchange.response);
  exchange.answer(status, headers, place.bodyOf(pieces));
}

function answerOf<Deps>(prepared: Prepared<Deps>, result: unknown) {
  const isReply = result instanceof Reply;
  const body: unknown = isReply ? result.body : result;
  const status = (isReply ? result.status : undefined) ?? prepared.status;
  const { emptyHeaders, textHeaders, jsonHeaders } = prepared;
  const standing = body === undefined ? emptyHeaders : isReady(body) ? textHeaders : jsonHeaders;
  return { status, headers: isReply ? withHeaders(standing, result.headers) : standing, body };
}

/** Whether a body is sent as it is, and not as JSON. */
function isReady(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function stream<Deps>(exchange: Exchange, prepared: Prepared<Deps>, result: unknown, place: Place): void {
  if (!(result instanceof StreamWriter)) throw new Error('the response is not a stream');
  exchange.stream(prepared.status, withHeaders(prepared.textHeaders, UNBUFFERED), result, place);
}

/** For proxies that would buffer the response. */
const UNBUFFERED = { 'X-Accel-Buffering': 'no' };

/** A response that the route did not declare is a bug: it may contain secrets. */
function checkAnswer<Deps>({ statuses, checkAnswer: check }: Prepared<Deps>, status: number, body: unknown) {
  if (statuses[status] === undefined)
    throw new Error(`the response status ${status} is not declared by the route`);
  const problems = hasNoBody(status) ? undefined : check?.(body);
  if (problems !== undefined || (body !== undefined && (check === undefined || hasNoBody(status))))
    throw new Error(`the response does not match its schema: ${JSON.stringify(problems ?? 'it has a body')}`);
}

/** Adds the routes to the app, and then the responses to unknown paths and methods. */
export function mount<Deps>(app: Express, routes: readonly Prepared<Deps>[], frame: Frame<Deps>): void {
  const table = createPathTable(routes);

  // Paths without parameters need one look-up; Express’s router would try one expression after another.
  app.use((message: Request, response: Response, next: NextFunction) => {
    const prepared = table.find(message.method, message.url);
    if (prepared !== undefined) return void serve(prepared, frame, message, response);
    const found = table.methodsAt(message.url);
    if (found.size === 0) next();
    else answerUnrouted(frame, message, response, [...found.keys()], [...found.values()]);
  });
  for (const group of table.patterns) {
    for (const prepared of group) {
      app[prepared.route.method](prepared.route.path, (message: Request, response: Response) => {
        void serve(prepared, frame, message, response);
      });
    }
    // Responds before the next pattern is tried: a fixed segment must not match as a parameter of another path.
    const methods = group.flatMap(methodsOf);
    for (const path of new Set(group.map(({ route }) => route.path))) {
      app.all(path, (message: Request, response: Response) => {
        answerUnrouted(frame, message, response, methods);
      });
    }
  }
  app.use((message: Request, response: Response) => {
    answerUnrouted(frame, message, response, []);
  });
}

/** Responds to requests without a route: 404, or 405 and OPTIONS if the path has other methods. */
function answerUnrouted<Deps>(
  frame: Frame<Deps>,
  message: Request,
  response: Response,
  found: string[],
  prepared: readonly Prepared<Deps>[] = [],
): void {
  const exchange = new Exchange(
    frame.traffic,
    found.length === 0 ? 'unknown' : 'other method',
    message,
    response,
  );
  const methods = [...new Set(found), 'OPTIONS'].toSorted().join(', ');
  if (found.length === 0) exchange.refuse(new ApiError('not_found', 'No endpoint at this path'));
  else if (message.method === 'OPTIONS') {
    const isForAny = prepared.some(({ rules }) => rules.cors === 'any');
    if (isForAny) exchange.rules = { cors: 'any' };
    const preflight = isForAny
      ? preflightHeaders(methods)
      : frame.traffic.cors.preflight(message.headers.origin, methods);
    exchange.answer(204, [...withHeaders(STANDING_HEADERS, { Allow: methods }), ...preflight], undefined);
  } else exchange.refuse(new ApiError('method_not_allowed', undefined, { headers: { Allow: methods } }));
}

/**
 * Routes with parameters are in the order in which a router must try them: a fixed segment before a parameter.
 *
 * @throws {Error} if one request could match two routes.
 */
function createPathTable<Deps>(entries: readonly Prepared<Deps>[]) {
  const byPath = new Map<string, Map<string, Prepared<Deps>>>();
  for (const entry of entries) {
    const { method, path } = entry.route;
    const methods = byPath.get(shapeOf(path)) ?? new Map<string, Prepared<Deps>>();
    if (methods.has(method.toUpperCase()))
      throw new Error(`${method.toUpperCase()} ${path} stands for two routes`);
    for (const name of methodsOf(entry)) methods.set(name, entry);
    byPath.set(shapeOf(path), methods);
  }
  const patterns = [...byPath.keys()]
    .filter((shape) => shape.includes(PARAMETER))
    .toSorted()
    .map((shape) => entries.filter(({ route }) => shapeOf(route.path) === shape));
  return {
    patterns,
    find: (method: string, url: string) => (byPath.get(url) ?? byPath.get(pathOf(url)))?.get(method),
    methodsAt: (url: string) => byPath.get(pathOf(url)) ?? new Map<string, Prepared<Deps>>(),
  };
}

function methodsOf<Deps>({ route }: Prepared<Deps>): string[] {
  return route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()];
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const PARAMETER = '\uffff';

/** The path with each parameter replaced by a character that no URL contains and that sorts last. */
function shapeOf(path: string): string {
  return path.replaceAll(/:\w+/g, PARAMETER);
}
