import { compile, Type } from '@gatehouse/schema';
import type { ConsumeMessage } from 'amqplib';
import type { Topology } from './topology.ts';

/** What a message says of itself, checked like all that comes from outside: whoever may publish wrote it. */
export interface MessageFacts {
  /** What a copy of it is called by, as far as that is a plain word. */
  identity: { contentType?: string; messageId?: string; type?: string };
  /** How often its handler has thrown before. */
  failures: number;
}

export const FAILURES_HEADER = 'x-failures';
/** A message whose handling throws for no outage's sake meets a bug: after this often it is parked. */
export const FAILURES_MAX = 10;

/** What the broker has decoded from any bytes may be longer than what it takes: copies carry plain words alone. */
const isWord = checkOf<string>(Type.String({ pattern: /^[\x21-\x7e]{1,128}$/.source, maxLength: 128 }));
const isCount = checkOf<number>(Type.Integer({ minimum: 0, maximum: FAILURES_MAX }));
const isList = checkOf<unknown[]>(Type.Array(Type.Unknown()));

/**
 * Reads a message's properties. Failures are counted in a header that only we write, and only on the way into a
 * delay queue: on a message that comes from elsewhere it means nothing, and one that is no count, nor ours, has
 * used up its tries. A sender can so make its own message die sooner, and no more.
 */
export function readFacts({ properties }: ConsumeMessage, topology: Topology): MessageFacts {
  const given = properties as unknown as Record<string, unknown>; // the driver types what a sender chose
  const headers = (given['headers'] ?? {}) as Record<string, unknown>; // the driver's own object, or absent
  const identity: MessageFacts['identity'] = {};
  for (const name of ['contentType', 'messageId', 'type'] as const) {
    const value = given[name];
    if (isWord(value)) identity[name] = value;
  }
  if (!wasDelayed(headers['x-death'], topology)) return { identity, failures: 0 };
  const failures = headers[FAILURES_HEADER];
  return { identity, failures: isCount(failures) ? failures : FAILURES_MAX };
}

/** Whether one of our delay queues let go of it. */
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
