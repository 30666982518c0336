import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@gatehouse/auth-core';
import { Unavailable, type Log, type Span, type Tracing } from '@gatehouse/runtime';
import { remainingBody } from './body.ts';
import { ANY_ORIGIN, type Cors } from '../server/cors.ts';
import type { Downloads, PacedBody } from '../server/downloads.ts';
import { ApiError, ERRORS, oauthErrorBody, problemBody, problemHeaders, toApiError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { STANDING_HEADERS, withHeaders, type HeaderList } from './headers.ts';
import { RequestFacts, type ClientAddress } from './request-facts.ts';
import { sendStream, type OpenStreams, type Place, type StreamWriter } from '../stream/streams.ts';
import type { Outcome } from '../server/request-log.ts';

export interface Traffic {
  log: Log;
  clientAddress: ClientAddress;
  cors: Cors;
  transportHeaders: HeaderList;
  record: (outcome: Outcome) => void;
  tracing: Tracing;
  streams: OpenStreams;
  downloads: Downloads;
  inFlight: InFlight;
  /** How long a client may take to send its body, and each piece of a stream. */
  clientTimeoutMs: number;
  /** Requests are still accepted, but each connection is closed after its response. */
  isDraining: boolean;
  isStopping: boolean;
}

/** Every request gets a response within 5 s, whatever is broken: after this time it is a 503. */
const ANSWER_MS = 4500;

/** What a route says about all its responses. */
export interface ResponseRules {
  /** A header of errors that repeats the code, for clients that cannot read the body. */
  codeHeader?: string;
  /** `any`: pages of every origin may call it and read the response. It must not read cookies. */
  cors?: 'any';
  /** `oauth`: they have the form of RFC 6749 §5.2, instead of problem details. */
  errors?: 'oauth';
}

/** A request and its response; exactly one response is sent. */
export class Exchange implements Link {
  readonly message: IncomingMessage;
  readonly facts: RequestFacts;
  readonly authorization: string | undefined;
  caller: Caller | null = null;
  rules: ResponseRules = {};
  readonly #traffic: Traffic;
  readonly #route: string;
  readonly #startedAt = performance.now();
  /** When the caller’s access was last checked, or shortly before. */
  admittedAt = this.#startedAt;
  dueAt = this.#startedAt + ANSWER_MS;
  #isBodyAwaited = false;
  before: Link | undefined = undefined;
  after: Link | undefined = undefined;
  #isAnswered = false;
  readonly response: ServerResponse;
  readonly span: Span | undefined;

  /** @param route the matched route's path, for the log. */
  constructor(traffic: Traffic, route: string, message: IncomingMessage, response: ServerResponse) {
    this.#traffic = traffic;
    this.#route = route;
    this.message = message;
    this.authorization = message.headers.authorization;
    this.response = response;
    this.facts = new RequestFacts(message, traffic.clientAddress, this);
    this.span = traffic.tracing.request({
      traceId: this.facts.traceId,
      traceparent: message.headers['traceparent'],
      method: message.method ?? '',
      route,
    });
    traffic.inFlight.add(this);
  }

  /** Sends the response. `headers` are `name, value, name, value`, without those that every response has. */
  answer(
    status: number,
    headers: HeaderList,
    body: string | Uint8Array | PacedBody | undefined,
    problem?: ErrorCode,
  ): void {
    const { message, response } = this;
    const traffic = this.#traffic;
    // The result is ready after the deadline: the client already has its response.
    if (this.#isAnswered) return;
    const rest = remainingBody(message);
    const all = this.#complete(headers);
    if (body !== undefined) {
      const byteLength = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
      all.push('Content-Length', String(byteLength));
    }
    const closes = traffic.isDraining || rest === 'much' || this.#isBodyAwaited;
    if (closes) all.push('Connection', 'close');
    response.writeHead(status, all);
    this.#isAnswered = true;
    traffic.inFlight.remove(this);
    if (typeof body === 'object' && 'sendTo' in body) {
      if (rest === 'much') message.resume();
      body.sendTo(response);
    } else if (rest === 'much') endWithoutRest(message, response, body);
    else if (body === undefined) response.end();
    else endWith(response, body);
    if (rest === 'little') cutAfter(message, traffic.clientTimeoutMs);
    // After the response Node does not tell the message that its connection was closed; its reader would wait forever.
    if (rest !== 'nothing' && closes) message.socket.once('close', () => message.destroy());
    this.#record(status, problem);
  }

  /** Sends what is put into the writer, until it ends, the client disconnects or the process stops. */
  stream(status: number, headers: HeaderList, writer: StreamWriter, place: Place): void {
    const { message, response } = this;
    if (this.#isAnswered || this.isStopping || message.method === 'HEAD' || message.socket.destroyed) {
      place.leave();
      writer.cut();
      if (this.isStopping) this.refuse(new Unavailable('a process that stays'));
      return this.answer(status, headers, undefined);
    }
    response.writeHead(status, this.#complete(headers));
    this.#isAnswered = true;
    this.#traffic.inFlight.remove(this);
    sendStream(response, writer, place);
    this.#record(status, undefined);
    forgetRequest(message);
  }

  #complete(headers: HeaderList): string[] {
    const allowed =
      this.rules.cors === 'any' ? ANY_ORIGIN : this.#traffic.cors.answer(this.message.headers.origin);
    const { transportHeaders } = this.#traffic;
    return [...headers, ...transportHeaders, ...allowed, 'X-Trace-Id', this.facts.traceId];
  }

  #record(status: number, problem: ErrorCode | undefined): void {
    this.#traffic.record({
      method: this.message.method ?? '',
      route: this.#route,
      status,
      seconds: (performance.now() - this.#startedAt) / 1000,
      facts: this.facts,
      caller: this.caller,
      problem,
    });
    this.#endSpan(status, problem);
  }

  #endSpan(status: number, problem: ErrorCode | undefined): void {
    if (this.span === undefined) return;
    this.span.set({ 'http.response.status_code': status, ...(problem && { 'gatehouse.code': problem }) });
    // A 4xx is not an error of the server (OpenTelemetry, HTTP spans, Status).
    this.span.end(status >= 500 ? (problem ?? String(status)) : undefined);
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether the process is stopping, so that long requests must end. */
  get isStopping(): boolean {
    return this.#traffic.isStopping;
  }

  /** Starts the client's time limit: its body, or the next piece of it, must arrive in time. */
  awaitBody(): void {
    this.#isBodyAwaited = true;
    this.dueAt = performance.now() + this.#traffic.clientTimeoutMs;
  }

  /** Starts our own time limit: the client has sent what was expected. */
  work(): void {
    this.#isBodyAwaited = false;
    this.dueAt = performance.now() + ANSWER_MS;
  }

  expire(): void {
    if (this.#isBodyAwaited) return this.refuse(new ApiError('request_timeout'));
    this.refuse(
      new Unavailable('something that the request needs', { cause: new Error('no answer in time') }),
    );
  }

  /** Sends the error response for what was thrown, and logs what the client must not see. */
  refuse(thrown: unknown): void {
    if (this.#isAnswered) return;
    const error = toApiError(thrown);
    const { status } = ERRORS[error.code];
    const facts = { traceId: this.facts.traceId, route: this.#route, error: error.cause };
    if (status === 500) this.#traffic.log.error('request failed with an unexpected error', facts);
    else if (status === 503) this.#traffic.log.warn('request failed, dependency unavailable', facts);
    const { codeHeader, errors } = this.rules;
    const isOAuth = errors === 'oauth';
    const headers = withHeaders(isOAuth ? OAUTH_ERROR_HEADERS : PROBLEM_HEADERS, problemHeaders(error));
    if (codeHeader !== undefined) headers.push(codeHeader, error.code);
    const body = isOAuth ? oauthErrorBody(error) : problemBody(error, this.facts.traceId);
    this.answer(status, headers, JSON.stringify(body), error.code);
  }
}

const PROBLEM_HEADERS = [...STANDING_HEADERS, 'Content-Type', 'application/problem+json'];
const OAUTH_ERROR_HEADERS = [...STANDING_HEADERS, 'Content-Type', 'application/json'];

/** Frees a quarter of what V8 holds for a stream, which may be open for hours: headers, token, Express's own state. */
function forgetRequest(message: IncomingMessage): void {
  message.rawHeaders = [];
  message.headers = {};
  Object.assign(message, { next: undefined, params: undefined, _parsedUrl: undefined });
}

/** A small body that is not read may still arrive, so that the connection can be reused, but only for a limited time. */
function cutAfter(message: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => message.destroy(), ms).unref();
  const settle = (): void => clearTimeout(timer);
  message.once('end', settle).once('close', settle);
}

/** In one write: `end(text)` alone writes the text and an empty chunk as a list, a tenth of Node’s HTTP time. */
function endWith(response: ServerResponse, contents: string | Uint8Array): void {
  response.write(contents);
  // Node delays the first chunk to combine it with others of the same turn; there are no others.
  response.socket?.uncork();
  response.end();
}

const LINGER_MS = 1000;
const LINGER_BYTES = 1_048_576;

/** Closing at once would make the kernel send a reset, which can overtake the response: first it discards the body. */
function endWithoutRest(
  message: IncomingMessage,
  response: ServerResponse,
  contents: string | Uint8Array | undefined,
): void {
  let spareBytes = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    message.off('data', discard);
    response.end();
  };
  const discard = (chunk: Buffer): void => {
    spareBytes -= chunk.length;
    if (spareBytes < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  if (contents !== undefined) response.write(contents);
  message.on('data', discard).once('end', end).once('close', end).resume();
}

interface Link {
  before: Link | undefined;
  after: Link | undefined;
  /** The deadline in `performance.now()` time: of our response, or of the client’s body. */
  dueAt: number;
  expire(): void;
}

const LOOK_MS = 200;

/**
 * The requests in progress, whose deadlines are checked. A linked list through the requests themselves: a Set, which
 * grows and shrinks with each, costs the busiest calls a tenth of their speed in garbage collection.
 */
export class InFlight {
  size = 0;
  #first: Link | undefined;
  #last: Link | undefined;
  #watch: NodeJS.Timeout | undefined;

  add(link: Link): void {
    link.before = this.#last;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.size += 1;
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Removes a request that is in the list. */
  remove(link: Link): void {
    if (link.before === undefined) this.#first = link.after;
    else link.before.after = link.after;
    if (link.after === undefined) this.#last = link.before;
    else link.after.before = link.before;
    link.before = link.after = undefined;
    this.size -= 1;
  }

  #look(): void {
    if (this.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    const now = performance.now();
    for (let link = this.#first; link !== undefined;) {
      const next: Link | undefined = link.after;
      if (link.dueAt < now) link.expire();
      link = next;
    }
  }
}
