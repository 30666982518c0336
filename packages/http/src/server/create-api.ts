import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Auth } from '@gatehouse/auth-core';
import { listen, NO_TRACING, type Log, type Metrics, type Tracing } from '@gatehouse/runtime';
import express, { type Express } from 'express';
import { createClientAddress } from '../request/request-facts.ts';
import { answerClientFault, faultOfHead } from '../request/head.ts';
import { createCors } from './cors.ts';
import { Downloads, type Pace } from './downloads.ts';
import { docsRoutes, referenceFileRoutes } from '../openapi/docs.ts';
import { ApiError } from '../errors.ts';
import { Exchange, InFlight, type Traffic } from '../request/exchange.ts';
import { transportHeaders } from '../request/headers.ts';
import { mount } from './serve.ts';
import { openapi, type Described, type OpenApi } from '../openapi/openapi.ts';
import { prepare, type UnknownFields } from './prepare.ts';
import { createRequestLog } from './request-log.ts';
import type { Route } from '../route.ts';
import { OpenStreams } from '../stream/streams.ts';

export interface Api {
  app: Express;
  server: Server;
  /** Starts listening and returns the port; port 0 selects a free one. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Serves on for `drainSeconds`, stops listening, lets requests finish for up to 8 s, closes all connections. */
  close(): Promise<void>;
}

export interface ApiDefinition<Deps> extends Omit<Described, 'routes'> {
  routes: readonly Route<Deps>[];
  /** Pages for people and their files, which the documents omit; paths of the API come before theirs. */
  pages?: readonly Route<Deps>[] | undefined;
  deps: Deps;
  auth: Auth;
  /** Reads the document that the gateway serves at `/public/openapi.json` and `/public/docs`, when first requested. */
  publicDocument?: (() => OpenApi) | undefined;
  /** Where browsers reach it; over https, they are told never to use http. */
  publicUrl?: string | undefined;
  /** Whether unknown fields of bodies are dropped (the default) or refused. */
  unknownFields?: UnknownFields;
}

/**
 * Builds a service’s HTTP server from its routes, including its documents (`/openapi.json`, `/docs`), a log line for
 * each request, and limits on slow and large clients.
 *
 * @throws {Error} for contradictory routes or settings.
 */
export function createApi<Deps>(
  options: ApiDefinition<Deps> & {
    log: Log;
    metrics: Metrics;
    tracing?: Tracing | undefined;
    /** Addresses or ranges, separated by commas, of the proxies whose X-Forwarded-For is trusted. */
    trustProxy: string;
    /** Origins, separated by commas, whose pages may call. */
    corsOrigins: string;
    /** How long a client may take to send its body, and each piece of a stream; 30 s by default. */
    clientTimeoutMs?: number;
    /** The maximum number of open streams; 20,000 by default. */
    streamsMax?: number;
    downloadPace?: Partial<Pace>;
    /** How long `close` keeps serving for clients that are still routed here; 0 by default. */
    drainSeconds?: number;
  },
): Api {
  const { log, metrics, deps, auth } = options;
  const traffic: Traffic = {
    log,
    clientAddress: createClientAddress(options.trustProxy),
    cors: createCors(options.corsOrigins),
    record: createRequestLog(log, metrics),
    tracing: options.tracing ?? NO_TRACING,
    inFlight: new InFlight(),
    streams: new OpenStreams(options.streamsMax ?? 20_000, metrics),
    downloads: new Downloads(options.downloadPace),
    transportHeaders: transportHeaders(options.publicUrl),
    clientTimeoutMs: options.clientTimeoutMs ?? 30_000,
    isDraining: false,
    isStopping: false,
  };
  const app = createApp();
  const { unknownFields = 'drop' } = options;
  const routes: readonly Route<Deps>[] = [
    ...options.routes,
    ...(options.pages ?? []),
    ...referenceFileRoutes(),
    ...docsRoutes(() => openapi(options)),
    ...(options.publicDocument === undefined ? [] : docsRoutes(options.publicDocument, '/public')),
  ];
  const prepared = routes.map((route) => prepare(route, unknownFields));
  mount(app, prepared, { deps, auth, traffic });
  const server = serverFor(app, traffic);
  return {
    app,
    server,
    listen: (at) => listen(server, at),
    close: () => close(server, traffic, options.drainSeconds ?? 0),
  };
}

function createApp(): Express {
  const app = express();
  app.enable('strict routing').enable('case sensitive routing');
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  return app;
}

/**
 * Express sets the prototype of every request and response to `app.request` and `app.response`. In V8 an object whose
 * prototype changes is five times slower, so the server creates them with these prototypes.
 */
function serverFor(app: Express, traffic: Traffic): Server {
  class ApiRequest extends IncomingMessage {}
  class ApiResponse extends ServerResponse {}
  Object.setPrototypeOf(ApiRequest.prototype, Object.getPrototypeOf(app.request) as object);
  Object.setPrototypeOf(ApiResponse.prototype, Object.getPrototypeOf(app.response) as object);
  // Express reads `app` from these prototypes; its types do not allow replacing them.
  Object.assign(ApiRequest.prototype, { app });
  Object.assign(ApiResponse.prototype, { app });
  Object.assign(app, { request: ApiRequest.prototype, response: ApiResponse.prototype });

  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    const fault = faultOfHead(message);
    if (fault !== undefined) {
      new Exchange(traffic, 'unknown', message, response).refuse(fault);
      return;
    }
    app(message as express.Request, response as express.Response, (error: unknown) => {
      new Exchange(traffic, 'unknown', message, response).refuse(errorOfExpress(error));
    });
  };
  const server = createServer({
    IncomingMessage: ApiRequest,
    ServerResponse: ApiResponse,
    headersTimeout: 10_000,
    // A stream may take long: each exchange has its own deadline for the body.
    requestTimeout: 0,
    connectionsCheckingInterval: 2000,
    // Longer than the gateway keeps idle connections to services (keepalive_timeout in its configuration).
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // `faultOfHead` refuses it in our error format.
    requireHostHeader: false,
  });
  // Node would silently drop headers after the hundredth; `faultOfHead` counts them instead.
  server.maxHeadersCount = 0;
  // For clients that do not read their response.
  server.timeout = 60_000;
  server.on('request', listener);
  // The body reader sends `100 Continue` once it wants the body.
  server.on('checkContinue', listener);
  server.on('checkExpectation', (message, response) => {
    new Exchange(traffic, 'unknown', message, response).refuse(
      new ApiError('invalid_request', 'Unsupported Expect header'),
    );
  });
  server.on('clientError', answerClientFault);
  return server;
}

/** Errors of Express itself, for example for a path with broken percent-encoding. */
function errorOfExpress(error: unknown): unknown {
  const isMalformed = (error as { status?: unknown } | undefined)?.status === 400;
  if (isMalformed) return new ApiError('invalid_request', 'Malformed URI');
  return error ?? new ApiError('not_found');
}

const FINISH_MS = 8000;
/** How long connections without a request are waited for. */
const SILENT_MS = 200;

async function close(server: Server, traffic: Traffic, drainSeconds: number): Promise<void> {
  traffic.isDraining = true;
  await sleep(drainSeconds * 1000);
  await acceptWaiting(server);
  traffic.isStopping = true;
  let isClosed = false;
  const closed = once(server, 'close').then(() => (isClosed = true));
  // Not HTTP's own `close`: from Node 26 on, that also cuts connections whose first request is on its way.
  TcpServer.prototype.close.call(server);
  traffic.streams.stop();
  const deadline = Date.now() + FINISH_MS;
  // Requests on connections that were just accepted may not have been read yet.
  let busyAt = Date.now();
  while (!isClosed && Date.now() < Math.min(deadline, busyAt + SILENT_MS)) {
    await sleep(5);
    if (traffic.inFlight.size > 0) busyAt = Date.now();
  }
  server.closeAllConnections();
  await closed;
}

/**
 * Accepts the connections that wait in the kernel's queue. Closing the port would reset them, although clients may have
 * sent requests on them. So it is closed after a turn of the event loop in which none came and which was short: later
 * ones would be reset, too.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let isQuiet = false;
  const accepted = (): void => void (isQuiet = false);
  server.on('connection', accepted);
  for (let turn = 0; !isQuiet && turn < TURNS_MAX; turn += 1) {
    isQuiet = true;
    const begun = performance.now();
    await nextTurn();
    if (performance.now() - begun > TURN_MS) isQuiet = false;
  }
  server.off('connection', accepted);
}

const TURNS_MAX = 1000;
const TURN_MS = 0.2;
