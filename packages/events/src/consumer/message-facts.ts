import { compile, Type } from '@gatehouse/schema';
import type { ConsumeMessage } from 'amqplib';
import type { Topology } from '../broker/topology.ts';

/** The properties of a message, validated like all input: anyone who may publish can set them. */
export interface MessageFacts {
  /** The properties that a copy retains, if they are plain words. */
  identity: { contentType?: string; messageId?: string; type?: string };
  /** How often its handler has failed before. */
  failures: number;
  /** The sender's trace (W3C Trace Context §3.2); copies have none. */
  traceparent?: string;
}

export const FAILURES_HEADER = 'x-failures';
/** A message whose handler fails although no dependency is down is a bug: it is given up after this many failures. */
export const FAILURES_MAX = 10;

/** Headers decoded from arbitrary bytes may be longer than the broker accepts: copies retain only plain words. */
const isWord = checkOf<string>(Type.String({ pattern: /^[\x21-\x7e]{1,128}$/.source, maxLength: 128 }));
const isCount = checkOf<number>(Type.Integer({ minimum: 0, maximum: FAILURES_MAX }));
const isList = checkOf<unknown[]>(Type.Array(Type.Unknown()));

/**
 * Reads a message’s properties. The count of failures is in a header that only we write, on the way into a delay
 * queue. On other messages it is ignored; a malformed count on a delayed one means that its retries are used up. So a
 * sender can only make its own message end sooner.
 */
export function readFacts({ properties }: ConsumeMessage, topology: Topology): MessageFacts {
  const given = properties as unknown as Record<string, unknown>; // the driver types what a sender chose
  const headers = (given['headers'] ?? {}) as Record<string, unknown>; // the driver's own object, or absent
  const identity: MessageFacts['identity'] = {};
  for (const name of ['contentType', 'messageId', 'type'] as const) {
    const value = given[name];
    if (isWord(value)) identity[name] = value;
  }
  const { traceparent } = headers;
  const common = { identity, ...(isWord(traceparent) && { traceparent }) };
  if (!wasDelayed(headers['x-death'], topology)) return { ...common, failures: 0 };
  const failures = headers[FAILURES_HEADER];
  return { ...common, failures: isCount(failures) ? failures : FAILURES_MAX };
}

function wasDelayed(deaths: unknown, { delays }: Topology): boolean {
  if (!isList(deaths)) return false;
  const queues = new Set<unknown>(delays.map(({ queue }) => queue));
  return deaths.some((death) => queues.has((death as { queue?: unknown } | null)?.queue));
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the schema lets through, as its caller knows
function checkOf<T>(schema: Parameters<typeof compile>[0]) {
  const check = compile(schema, { unknownFields: 'drop' });
  return (value: unknown): value is T => check(value) === undefined;
}
