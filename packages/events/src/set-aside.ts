import { redactText, Unavailable } from '@gatehouse/runtime';
import type { ConsumeMessage } from 'amqplib';
import type { Sender } from './sender.ts';
import type { Topology } from './topology.ts';

/** An event that was not handled: to be tried again, or beyond help. */
export type Failure =
  | { retryAfterSeconds: number; reason: string; /** Of its handler, so far. */ failures?: number }
  | { dead: string };

const FAILURES_HEADER = 'x-failures';
const REASON_LENGTH_MAX = 500;

/** How often a message's handler has thrown before. */
export function failuresOf(message: ConsumeMessage): number {
  return Number(message.properties.headers?.[FAILURES_HEADER] ?? 0);
}

/** Puts a copy of a message into a delay queue or among the dead. Says whether the copy is safe. */
export async function setAside(
  sender: Sender,
  topology: Topology,
  message: ConsumeMessage,
  failure: Failure,
): Promise<boolean> {
  const common = { ...identity(message), persistent: true, mandatory: true };
  try {
    if ('dead' in failure) {
      const headers = { 'x-reason': reason(failure.dead), 'x-parked-at': new Date().toISOString() };
      await sender.send('', topology.dead, message.content, { ...common, headers });
    } else {
      const { queue, milliseconds } = delayFor(topology, failure.retryAfterSeconds);
      const failures = failure.failures ?? failuresOf(message);
      const headers = { 'x-reason': reason(failure.reason), [FAILURES_HEADER]: failures };
      await sender.send('', queue, message.content, { ...common, headers, expiration: milliseconds });
    }
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/**
 * The shortest queue that can hold a message that long. A queue lets go of its messages in order, so that one
 * with a shorter time waits for those before it; queues of growing lengths keep that wait small.
 */
function delayFor(topology: Topology, seconds: number) {
  const delay = topology.delays.find((one) => one.seconds >= seconds) ?? topology.delays.at(-1);
  if (delay === undefined) throw new Error('the topology has no delay queue');
  const milliseconds = Math.max(1, Math.round(Math.min(seconds, delay.seconds) * 1000));
  return { queue: delay.queue, milliseconds };
}

/** What the message says of itself; the driver leaves out nothing that is undefined, but types it as absent. */
function identity({ properties }: ConsumeMessage): {
  contentType?: string;
  messageId?: string;
  type?: string;
} {
  // The driver has no types for them.
  const { contentType, messageId, type } = properties as Record<'contentType' | 'messageId' | 'type', string>;
  return { contentType, messageId, type };
}

/** Without addresses, as what an event holds of them is sealed: mail servers quote whom they refuse. */
function reason(text: string): string {
  return redactText(text).slice(0, REASON_LENGTH_MAX);
}
