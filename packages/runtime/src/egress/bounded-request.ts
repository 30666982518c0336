import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { nameOf } from './egress-rules.ts';
import { openTunnel } from './proxy.ts';

interface BoundedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether it ended within the limit. */
  isWhole: boolean;
}

/** Interim answers (1xx) beyond this number end the request. */
const INTERIM_MAX = 10;

interface BoundedRequest {
  method: string;
  headers: Record<string, string | number>;
  body: Uint8Array;
  /** Where the name of the URL leads. Through a proxy, the first counts; without any, the proxy looks the name up. */
  addresses: readonly string[];
  bytesMax: number;
  signal: AbortSignal;
  /** The authorities that are trusted instead of Node's. */
  ca?: string[] | undefined;
  /** For https alone. */
  proxy?: URL | undefined;
}

/**
 * Sends a request to one of `addresses`, and looks nothing up. No more than about `bytesMax` of the answer is read,
 * whatever it consists of. Redirects are not followed, and connections not kept.
 */
export async function sendBounded(url: URL, options: BoundedRequest): Promise<BoundedAnswer> {
  const { proxy, addresses, signal } = options;
  if (proxy === undefined) return send(url, options);
  const [host = nameOf(url)] = addresses;
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${url.port || 443}`;
  const socket = await openTunnel(proxy, authority, signal);
  const name = nameOf(url);
  const server = { host: name, ...(isIP(name) === 0 && { servername: name }) };
  const inside = connectTls({ ...tlsOf(options), ...server, socket });
  try {
    return await send(url, options, inside);
  } finally {
    inside.destroy();
  }
}

function tlsOf({ ca }: BoundedRequest) {
  // Explicit, as NODE_TLS_REJECT_UNAUTHORIZED would change the default.
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca && { ca }) } as const;
}

function send(url: URL, options: BoundedRequest, connected?: Duplex): Promise<BoundedAnswer> {
  const { method, headers, body, addresses, bytesMax, signal } = options;
  return new Promise((resolve, reject) => {
    const begin = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = begin(url, {
      ...{ method, headers, signal },
      ...(connected ? { createConnection: () => connected, defaultPort: 443 } : { agent: false }),
      lookup: lookupOf(addresses),
      maxHeaderSize: bytesMax,
      ...tlsOf(options),
    });
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const fail = (): void => reject(new Error('the connection ended without a whole answer'));
    const finish = (isWhole: boolean): void => {
      if (response === undefined) return;
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, headers: given, body: Buffer.concat(chunks), isWhole });
    };
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > INTERIM_MAX) request.destroy(new Error('too many interim answers'));
    });
    request.on('socket', (socket) => {
      // After Node's own listener. It sees what no event of the answer tells: extensions of chunks, trailers.
      socket.on('data', () => {
        if (socket.bytesRead <= bytesMax) return;
        finish(false);
        request.destroy(new Error('the answer is too long'));
      });
    });
    request.on('response', (given) => {
      response = given;
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish(true));
      response.on('error', reject);
      response.on('close', fail);
    });
    // Without a listener Node ends a switch to another protocol without any event.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail();
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Addresses that are known, instead of a look-up. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}
