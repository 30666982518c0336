import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Auth } from '@gatehouse/auth-core';
import type { Log, Metrics } from '@gatehouse/runtime';
import express, { type Express } from 'express';
import { createClientAddress } from '../request/client-address.ts';
import { answerClientFault } from '../request/client-fault.ts';
import { createCors } from './cors.ts';
import { docsRoutes } from '../openapi/docs.ts';
import { ApiError } from '../errors.ts';
import { Exchange, type Traffic } from '../request/exchange.ts';
import { faultOfHead } from '../request/head.ts';
import { InFlight } from './in-flight.ts';
import { mount } from './mount.ts';
import { openapi, type Described, type OpenApi } from '../openapi/openapi.ts';
import { prepare, type UnknownFields } from './prepare.ts';
import { createRequestLog } from './request-log.ts';
import type { Route } from '../route.ts';

/** An API that can be listened with and stopped. */
export interface Api {
  app: Express;
  server: Server;
  /** Listens, and gives back the port: a free one where 0 was asked for. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Stops listening, lets requests under way finish for up to 8 s, closes every connection. */
  close(): Promise<void>;
}

/** What an API is made of, whatever process it runs in. */
export interface ApiDefinition<Deps> extends Omit<Described, 'routes'> {
  routes: readonly Route<Deps>[];
  deps: Deps;
  auth: Auth;
  /** What the gateway serves as its own documents, at `/public/openapi.json` and `/public/docs`. */
  publicDocument?: OpenApi | undefined;
  /** What becomes of fields of bodies that no schema names; they are dropped unless this says otherwise. */
  unknownFields?: UnknownFields;
}

/**
 * Builds a service's HTTP side from its routes, with its documents (`/openapi.json`, `/docs`), its log line for
 * each request and its limits on slow and large clients.
 *
 * @throws {Error} for routes or settings that cannot be meant so.
 */
export function createApi<Deps>(
  options: ApiDefinition<Deps> & {
    log: Log;
    metrics: Metrics;
    /** Addresses or ranges, with commas, of the proxies whose X-Forwarded-For is believed. */
    trustProxy: string;
    /** Origins, with commas, whose browsers may call. */
    corsOrigins: string;
    /** How long a client may take for its body, and for each piece of a stream; 30 s by default. */
    patienceMs?: number;
  },
): Api {
  const { log, metrics, deps, auth } = options;
  const traffic: Traffic = {
    log,
    clientAddress: createClientAddress(options.trustProxy),
    cors: createCors(options.corsOrigins),
    record: createRequestLog(log, metrics),
    inFlight: new InFlight(),
    patienceMs: options.patienceMs ?? 30_000,
    isStopping: false,
  };
  const app = createApp();
  const { unknownFields = 'drop' } = options;
  const routes = options.routes.map((route) => prepare(route, unknownFields));
  const docs = [
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
    close: () => close(server, traffic).finally(() => clearInterval(deadlines)),
  };
}

function createApp(): Express {
  const app = express();
  app.enable('strict routing').enable('case sensitive routing');
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  return app;
}

/**
 * Express sets the prototype of every request and response to `app.request` and `app.response`. V8 pays for an
 * object whose prototype changes with four fifths of the speed; for one that has the prototype already it costs
 * nothing. So the server makes its requests and responses of classes that are those prototypes.
 */
function serverFor(app: Express, traffic: Traffic): Server {
  class ApiRequest extends IncomingMessage {}
  class ApiResponse extends ServerResponse {}
  Object.setPrototypeOf(ApiRequest.prototype, Object.getPrototypeOf(app.request) as object);
  Object.setPrototypeOf(ApiResponse.prototype, Object.getPrototypeOf(app.response) as object);
  // Express reads `app` from what it takes for its own prototypes; its types do not know that they can be set.
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
    // A stream may take its time: bodies have the deadlines of their exchanges.
    requestTimeout: 0,
    connectionsCheckingInterval: 2000,
    // Longer than the gateway keeps idle connections to us: keepalive_timeout in its configuration says why.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // Node would refuse it in its own words.
    requireHostHeader: false,
  });
  // Node would leave out those beyond the hundredth without a word; `faultOfHead` counts them.
  server.maxHeadersCount = 0;
  // A client that does not take its answer.
  server.timeout = 60_000;
  server.on('request', listener);
  // The body reader asks for the body once it knows that it wants it.
  server.on('checkContinue', listener);
  server.on('checkExpectation', (message, response) => {
    new Exchange(traffic, 'unknown', message, response).refuse(
      new ApiError('invalid_request', 'Unsupported Expect header'),
    );
  });
  server.on('clientError', answerClientFault);
  return server;
}

/** What Express refuses itself, such as a path whose percent-encoding is broken. */
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

async function close(server: Server, traffic: Traffic): Promise<void> {
  traffic.isStopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const deadline = Date.now() + FINISH_MS;
  while (traffic.inFlight.size > 0 && Date.now() < deadline) await sleep(20);
  // What was answered last may still be on its way to the kernel.
  await sleep(20);
  server.closeAllConnections();
  await closed;
}
