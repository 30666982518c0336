import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Deadline } from '@gatehouse/runtime';
import type { ClientAddress } from './client-address.ts';

/** The part of the exchange that handlers may see. */
type Answering = Deadline & { readonly isAnswered: boolean };

/** What a handler may know of the request besides its content. */
export class RequestFacts implements Deadline {
  /** The client's address, according to trusted proxies. */
  readonly address: string;
  /** Names the request in logs, in problems and in the mails that it causes (W3C Trace Context). */
  readonly traceId: string;
  readonly headers: IncomingHttpHeaders;
  /** Facts for the request’s log line. */
  notes: Record<string, unknown> | undefined;
  readonly #answering: Answering;

  constructor(message: IncomingMessage, clientAddress: ClientAddress, answering: Answering) {
    this.#answering = answering;
    this.headers = message.headers;
    this.address = clientAddress(message.socket.remoteAddress, message.headers['x-forwarded-for']);
    this.traceId = traceIdOf(message.headers['traceparent']);
    this.notes = undefined;
  }

  /** When the request is answered at the latest; nothing done for it may take effect later. */
  get dueAt(): number {
    const { isAnswered, dueAt } = this.#answering;
    return isAnswered ? -Infinity : dueAt;
  }

  /** What the client says that it is, at most 400 characters. */
  get userAgent(): string | undefined {
    return this.headers['user-agent']?.slice(0, 400);
  }

  /** Adds facts to the request's log line: ids, never emails, tokens or codes. */
  note(facts: Record<string, unknown>): void {
    this.notes = { ...this.notes, ...facts };
  }
}

/** The trace that a caller already has (W3C Trace Context §3.2), or a new one. */
function traceIdOf(traceparent: string | string[] | undefined): string {
  const given = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given ?? newTraceId();
}

/** Slices, as replacing the dashes takes half as long again. */
function newTraceId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
