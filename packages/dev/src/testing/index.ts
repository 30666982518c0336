import { request, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { serve } from '@gatehouse/runtime/testing';
import { gateway } from '../gateway/gateway.ts';
import { makeFolder } from '../servers/home.ts';
import { portOf } from '../stack/ports.ts';
import { instanceName } from '../stack/parts.ts';
import { privateServers } from './private-servers.ts';

export { privatePgbouncer, privatePostgresPair } from './private-postgres.ts';
export type { PrivatePgbouncer, PrivatePostgresPair } from './private-postgres.ts';
export { privateRabbitmqCluster, type PrivateRabbitmqCluster } from './private-rabbitmq-cluster.ts';
export { privateRedisCluster, splitRedisCluster } from './private-redis-cluster.ts';
export type { PrivateRedisCluster, SplitRedisCluster } from './private-redis-cluster.ts';
export { startOpenIdOracle, type AuthorizationOutcome, type OpenIdOracle } from './openid-oracle.ts';

/** An nginx with the real configuration, in front of services that report the requests they get. */
export type TestGateway = Awaited<ReturnType<typeof testGateway>>;

type ServiceName = 'core' | 'portal' | 'admin';

export function testGateway(
  options: {
    scale?: number;
    settings?: NodeJS.ProcessEnv;
    /** The name of its folder. */
    folder?: string;
  } = {},
) {
  const { scale = 1, settings, folder = '.' } = options;
  return privateServers('gateway', async ({ supervisor, place: { binaries, directory, ports }, atEnd }) => {
    const services = new Map<number, Awaited<ReturnType<typeof echo>>>();
    const seen: string[] = [];
    let bodyBytes = 0;
    const count = (bytes: number): unknown => (bodyBytes += bytes);
    const startService = async (name: ServiceName, instance = 1): Promise<void> => {
      const port = portOf(ports, name, instance);
      services.set(port, await echo(instanceName(name, instance), port, seen, count));
    };
    for (const name of ['core', 'portal', 'admin'] as const)
      for (let instance = 1; instance <= scale; instance++) await startService(name, instance);
    atEnd.push(() => Promise.all([...services.values()].map(({ stop }) => stop())));
    const own = makeFolder(join(directory, folder), 0o711);
    const started = gateway({ binary: binaries.nginx, directory: own, ports, scale, settings });
    await supervisor.start(started);
    return {
      ports,
      /** The process id of nginx, its log file and its own folder. */
      pid: supervisor.processes()[0]?.pid ?? 0,
      log: supervisor.logFile('gateway'),
      home: started.cwd,
      /** Methods and paths that reached the services, in order. */
      seen,
      /** How many bytes of bodies have reached the services, also of requests that are not complete yet. */
      bodyBytes: () => bodyBytes,
      /** The first instance is 1. */
      startService,
      stopService: (name: ServiceName, instance = 1) => services.get(portOf(ports, name, instance))?.stop(),
    };
  });
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
  bytes: number;
}

/**
 * A service that reports the requests it gets. `?status=` sets the status of the answer, `?type=` its content type,
 * `?after=` a delay in milliseconds, and `?break` closes the connection without an answer.
 */
function echo(name: string, port: number, log: string[], count: (bytes: number) => unknown) {
  const report: RequestListener = (message, response) => {
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      count(chunk.length);
    });
    message.on('end', () => {
      log.push(`${message.method} ${message.url}`);
      const overrides = new URL(message.url ?? '', 'http://x').searchParams;
      if (overrides.has('break')) return void message.socket.destroy();
      const seen: Seen = { url: message.url ?? '', headers: message.headers, bytes };
      const type = overrides.get('type') ?? 'application/json';
      const answer = (): unknown =>
        response
          .writeHead(Number(overrides.get('status') ?? 200), { 'x-service': name, 'content-type': type })
          .end(JSON.stringify(seen));
      setTimeout(answer, Number(overrides.get('after') ?? 0)).unref();
    });
  };
  return serve(report, { port });
}

/** Uses no `fetch`, because that normalises the path before it sends it. */
export function call(
  port: number,
  path: string,
  options: {
    method?: string;
    /** Several values are sent as separate header lines. */
    headers?: Record<string, string | string[]>;
    body?: string;
    /** The caller's address, for example 127.0.0.2; with ::1 the gateway is called there. */
    from?: string;
    /** The connection to use. */
    over?: Duplex;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, from, over } = options;
    const host = from === '::1' ? from : '127.0.0.1';
    const to = { host, port, path, localAddress: from };
    const how = over === undefined ? { agent: false } : { createConnection: () => over };
    const sent = request({ ...to, ...how, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject).end(body);
  });
}
