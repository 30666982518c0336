import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Auth } from '@gatehouse/auth-core';
import { NO_TRACING, type Log, type Metrics, type Tracing } from '@gatehouse/runtime';
import express, { type Express } from 'express';
import { createClientAddress } from '../request/client-address.ts';
import { answerClientFault } from '../request/client-fault.ts';
import { createCors } from './cors.ts';
import { Downloads } from './downloads.ts';
import type { Pace } from './paced-body.ts';
import { docsRoutes, referenceScriptRoute } from '../openapi/docs.ts';
import { ApiError } from '../errors.ts';
import { Exchange, type Traffic } from '../request/exchange.ts';
import { faultOfHead } from '../request/head.ts';
import { InFlight } from './in-flight.ts';
import { mount } from './mount.ts';
import { openapi, type Described, type OpenApi } from '../openapi/openapi.ts';
import { prepare, type UnknownFields } from './prepare.ts';
import { createRequestLog } from './request-log.ts';
import type { Route } from '../route.ts';
import { OpenStreams } from '../stream/open-streams.ts';

export interface Api {
  app: Express;
  server: Server;
  /** Listens, and returns the port: a free one for port 0. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Serves on for the time of draining, then stops listening, lets requests in progress finish for up to 8 s, closes every connection. */
  close(): Promise<void>;
}

/** What an API is made of, whatever process it runs in. */
export interface ApiDefinition<Deps> extends Omit<Described, 'routes'> {
  routes: readonly Route<Deps>[];
  deps: Deps;
  auth: Auth;
  /** What the gateway serves as its own documents, at `/public/openapi.json` and `/public/docs`. */
  publicDocument?: OpenApi | undefined;
  /** Whether unknown fields of bodies are dropped, which is the default, or refused. */
  unknownFields?: UnknownFields;
}

/**
 * Builds a service’s HTTP side from its routes: its documents (`/openapi.json`, `/docs`), a log line for each
 * request, and its limits on slow and large clients.
 *
 * @throws {Error} for routes or settings that contradict themselves.
 */
export function createApi<Deps>(
  options: ApiDefinition<Deps> & {
    log: Log;
    metrics: Metrics;
    tracing?: Tracing | undefined;
    /** Addresses or ranges, with commas, of the proxies whose X-Forwarded-For is believed. */
    trustProxy: string;
    /** Origins, with commas, whose browsers may call. */
    corsOrigins: string;
    /** How long a client may take for its body, and for each piece of a stream; 30 s by default. */
    clientTimeoutMs?: number;
    /** How many streams may be open; 20,000 by default. */
    streamsMax?: number;
    /** How slowly a client may take a download. */
    downloadPace?: Partial<Pace>;
    /** How long it still serves when it is closed, for those who do not know yet; not at all by default. */
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
    clientTimeoutMs: options.clientTimeoutMs ?? 30_000,
    isDraining: false,
    isStopping: false,
  };
  const app = createApp();
  const { unknownFields = 'drop' } = options;
  const routes = options.routes.map((route) => prepare(route, unknownFields));
  const docs = [
    referenceScriptRoute(),
    ...docsRoutes(openapi(options)),
    ...(options.publicDocument === undefined ? [] : docsRoutes(options.publicDocument, '/public')),
  ].map((route) => prepare<Deps>(route, unknownFields));
  mount(app, [...routes, ...docs], { deps, auth, traffic });
  const server = serverFor(app, traffic);
  const deadlines = watchDeadlines(traffic);
  return {
    app,
    server,
    listen: (at) => listen(server, at),
    close: () => close(server, traffic, options.drainSeconds ?? 0).finally(() => clearInterval(deadlines)),
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
 * prototype changes is five times slower; setting the prototype that it has already costs nothing. So the server
 * creates requests and responses of classes that are these prototypes.
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
    // Longer than the gateway keeps idle connections to services, see keepalive_timeout in its configuration.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // `faultOfHead` refuses it in our format.
    requireHostHeader: false,
  });
  // Node would silently drop headers after the hundredth; `faultOfHead` counts them.
  server.maxHeadersCount = 0;
  // For clients that do not read their answer.
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

/** Refusals by Express itself, such as of a path with broken percent-encoding. */
function errorOfExpress(error: unknown): unknown {
  const isMalformed = (error as { status?: unknown } | undefined)?.status === 400;
  if (isMalformed) return new ApiError('invalid_request', 'Malformed URI');
  return error ?? new ApiError('not_found');
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  // A server that listens on a port has an address of this kind.
  return (server.address() as AddressInfo).port;
}

const LOOK_MS = 200;

function watchDeadlines(traffic: Traffic): NodeJS.Timeout {
  return setInterval(() => {
    traffic.inFlight.expireDue(performance.now());
  }, LOOK_MS).unref();
}

const FINISH_MS = 8000;

async function close(server: Server, traffic: Traffic, drainSeconds: number): Promise<void> {
  traffic.isDraining = true;
  await sleep(drainSeconds * 1000);
  traffic.isStopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  traffic.streams.stop();
  const deadline = Date.now() + FINISH_MS;
  while (traffic.inFlight.size > 0 && Date.now() < deadline) await sleep(20);
  // The last answer may still be on its way to the kernel.
  await sleep(20);
  server.closeAllConnections();
  await closed;
}
