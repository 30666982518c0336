import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressGroup, plainAddress, withinRanges, type Deadline } from '@gatehouse/runtime';

type Answering = Deadline & { readonly isAnswered: boolean };

export class RequestFacts implements Deadline {
  /** The client's address, according to trusted proxies. */
  readonly address: string;
  /** Identifies the request in logs, problems and the mails that it causes (W3C Trace Context). */
  readonly traceId: string;
  readonly headers: IncomingHttpHeaders;
  /** Additional fields of the request’s log line. */
  notes: Record<string, unknown> | undefined;
  readonly #answering: Answering;

  constructor(message: IncomingMessage, clientAddress: ClientAddress, answering: Answering) {
    this.#answering = answering;
    this.headers = message.headers;
    this.address = clientAddress(message.socket.remoteAddress, message.headers['x-forwarded-for']);
    this.traceId = traceIdOf(message.headers['traceparent']);
    this.notes = undefined;
  }

  /** The deadline of the response; nothing done for the request may take effect later. */
  get dueAt(): number {
    const { isAnswered, dueAt } = this.#answering;
    return isAnswered ? -Infinity : dueAt;
  }

  get addressGroup(): string {
    return addressGroup(this.address);
  }

  get userAgent(): string | undefined {
    return this.headers['user-agent']?.slice(0, 400);
  }

  /** Adds fields to the request's log line: ids, never emails, tokens or codes. */
  addToLog(facts: Record<string, unknown>): void {
    this.notes = { ...this.notes, ...facts };
  }
}

/** The trace id that the caller sent (W3C Trace Context §3.2), or a new one. */
function traceIdOf(traceparent: string | string[] | undefined): string {
  const given = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given ?? newTraceId();
}

/** Uses slices, as replacing the dashes takes 50 % longer. */
function newTraceId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** More than any chain of proxies; a client may claim thousands. */
const PROXIES_MAX = 20;

export type ClientAddress = (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;

/**
 * Trusts only the part of `X-Forwarded-For` that trusted proxies wrote: from the right, the first address that is not
 * a trusted proxy is the client's. The client may have invented everything to the left of it.
 *
 * @param trustProxy addresses or CIDR ranges, separated by commas.
 * @throws {ConfigError} if one of them is neither.
 */
export function createClientAddress(trustProxy: string): ClientAddress {
  const isTrusted = withinRanges('TRUST_PROXY', trustProxy);
  return (peer, forwardedFor) => {
    const address = plainAddress(peer ?? '');
    if (forwardedFor === undefined || !isTrusted(address)) return address;
    const hops = String(forwardedFor).split(',').slice(-PROXIES_MAX);
    let client = address;
    while (hops.length > 0 && isTrusted(client)) {
      const hop = plainAddress(withoutPort(hops.pop()?.trim() ?? ''));
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** Azure's gateway and IIS write `192.0.2.1:49152`, and `[2001:db8::1]:49152`. */
function withoutPort(hop: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+)|\[([^[\]]+)\])(?::\d{1,5})?$/.exec(hop) ?? [];
  return ipv4 ?? ipv6 ?? hop;
}
