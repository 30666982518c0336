import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { nameOf, VERSION, type EgressRules } from '@gatehouse/runtime';
import { faultWord, type CallFault } from './call-fault.ts';

/** How a receiver was called, and what it answered. */
export type CallResult =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | undefined }
  | { kind: 'failed'; fault: CallFault };

/** Calls a receiver once. It never throws. */
export type Call = (url: string, body: string, headers: Record<string, string>) => Promise<CallResult>;

/** Looks up all addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>;

const CALL_MS = 10_000;
/** More than this of an answer is not read. Nothing of it is kept. */
const ANSWER_BYTES_MAX = 65_536;

/**
 * Creates the caller. A name is looked up once, and the connection goes to an address that was checked: a name server that
 * changes its answer gets no connection inside. Redirects are not followed, and connections not kept.
 */
export function createCall(options: {
  rules: EgressRules;
  /** Authorities besides those that Node trusts, as PEM. */
  ca?: string | undefined;
  callMs?: number;
  resolve?: Resolve;
}): Call {
  const { rules, ca, callMs = CALL_MS, resolve = resolveName } = options;
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca];
  const find = sharing(resolve);

  return async (url, body, headers) => {
    const fault = rules.faultOf(url);
    if (fault !== undefined) return { kind: 'failed', fault: 'address_not_allowed' };
    const target = new URL(url);
    const timeout = AbortSignal.timeout(callMs);
    try {
      const addresses = await within(timeout, findAddresses(target, find));
      const allowed = rules.allowedOf(target, addresses);
      if (allowed.length === 0) return { kind: 'failed', fault: 'address_not_allowed' };
      return await within(timeout, post(target, { body, headers, allowed, timeout, trusted }));
    } catch (error) {
      return { kind: 'failed', fault: timeout.aborted ? 'timeout' : faultWord(error) };
    }
  };
}

async function findAddresses(target: URL, resolve: Resolve): Promise<string[]> {
  const name = nameOf(target);
  return isIP(name) === 0 ? await resolve(name) : [name];
}

/** As the operating system does: with its hosts file and search domains. */
function resolveName(name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookUp(name, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });
}

/**
 * Calls that wait for the same name share one look-up. Node looks names up on few threads: a name server that does not
 * answer must not take all of them by the calls of one webhook.
 */
function sharing(resolve: Resolve): Resolve {
  const open = new Map<string, Promise<string[]>>();
  return (name) => {
    const found = open.get(name) ?? resolve(name).finally(() => open.delete(name));
    open.set(name, found);
    return found;
  };
}

/** A look-up cannot be cancelled, only left alone. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
    work.then(resolve, reject);
  });
}

function post(
  target: URL,
  {
    body,
    headers,
    allowed,
    timeout,
    trusted,
  }: {
    body: string;
    headers: Record<string, string>;
    allowed: readonly string[];
    timeout: AbortSignal;
    trusted: string[] | undefined;
  },
): Promise<CallResult> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const begin = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = begin(target, {
      method: 'POST',
      agent: false,
      lookup: lookupOf(allowed),
      signal: timeout,
      maxHeaderSize: ANSWER_BYTES_MAX,
      // Explicit, as NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(trusted && { ca: trusted }),
      headers: {
        'content-length': bytes.length,
        'user-agent': `Gatehouse/${VERSION}`,
        ...headers,
      },
    });
    request.on('error', reject);
    // Without a listener Node ends such a request without any event.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('the receiver switched to another protocol'));
    });
    request.on('response', (response) => drop(response, resolve, reject));
    request.end(bytes);
  });
}

/** The addresses that were checked, instead of a second look-up. */
function lookupOf(allowed: readonly string[]): LookupFunction {
  const found: LookupAddress[] = allowed.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** Reads an answer to its end, or to its limit, and keeps only its status. */
function drop(
  response: IncomingMessage,
  resolve: (result: CallResult) => void,
  reject: (error: Error) => void,
): void {
  let bytes = 0;
  const finish = (): void =>
    resolve({
      kind: 'answered',
      status: response.statusCode ?? 0,
      retryAfterSeconds: secondsOf(response.headers['retry-after']),
    });
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES_MAX) return;
    finish();
    response.destroy();
  });
  response.on('end', finish);
  response.on('error', reject);
}

/** `Retry-After` as seconds (RFC 9110 §10.2.3). */
function secondsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
