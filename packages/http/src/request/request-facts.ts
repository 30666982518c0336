import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addressGroup, type Deadline } from '@gatehouse/runtime';
import type { ClientAddress } from './client-address.ts';

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
