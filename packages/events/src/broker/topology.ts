import type { Channel } from 'amqplib';
import { eventTypes, mailingTypes } from '../event/contracts.ts';

export interface Topology {
  exchange: string;
  queue: string;
  /** The event types routed to the queue; other messages are sent to it by its name. */
  bindings: readonly string[];
  dead: string;
  /** How long dead messages are stored: they may be about people whose accounts are erased. */
  deadSeconds: number;
  /** The queue is deleted when it had no consumer for this time. */
  unusedSeconds?: number;
  /** Whether the queue itself has this limit, which cannot be changed later. Each copy has it in any case. */
  isDeadQueueTimed: boolean;
  /** Shortest first. Without any, messages that are to be retried stay with their consumer. */
  delays: { queue: string; seconds: number }[];
  /** Whether the broker moves messages with confirms; else it may lose one, harmless if the sender repeats it. */
  isLossless: boolean;
}

/**
 * What Gatehouse declares: the exchange for all events, the queue of mails, and the queue of dead messages. A prefix
 * separates test runs. Retries of mails are scheduled in Postgres, so there are no delay queues.
 */
export function topologyOf(options: { prefix?: string; deadSeconds?: number } = {}): Topology {
  const { prefix, deadSeconds = DEAD_SECONDS } = options;
  return topologyFor('mail', prefix, { bindings: mailingTypes, deadSeconds, isDeadQueueTimed: false });
}

/** Two weeks, so that operators can find them after an alert. The data needed to resend a mail is in Postgres. */
const DEAD_SECONDS = 14 * 24 * 3600;

/** Where the recognition pipeline reports faces. Reports are not repeated, so the broker must not lose one. */
export function faceTopologyOf(
  options: { prefix?: string; delaysSeconds?: readonly number[] } = {},
): Topology {
  const { prefix, delaysSeconds = [5, 60, 600] } = options;
  return topologyFor('person.faces', prefix, { isLossless: true }, delaysSeconds);
}

/** Retries are in Postgres. Without a hook worker it would fill for ever, so the broker deletes it after two weeks. */
export function hookTopologyOf({ prefix }: { prefix?: string } = {}): Topology {
  return topologyFor('hook', prefix, { bindings: eventTypes, unusedSeconds: DEAD_SECONDS });
}

/** The delay is part of a queue’s name, as it cannot be changed later. */
function topologyFor(
  name: string,
  prefix = '',
  own: Partial<Topology>,
  delaysSeconds: readonly number[] = [],
): Topology {
  const queue = `${prefix}${name}`;
  return {
    exchange: `${prefix}account.events`,
    queue,
    dead: `${queue}.dead`,
    delays: delaysSeconds
      .toSorted((one, other) => one - other)
      .map((seconds) => ({ queue: `${queue}.retry.${seconds}s`, seconds })),
    bindings: [],
    deadSeconds: DEAD_SECONDS,
    isDeadQueueTimed: true,
    isLossless: false,
    ...own,
  };
}

/** Declares everything; existing exchanges and queues stay unchanged. */
export async function declare(channel: Channel, topology: Topology): Promise<void> {
  const { exchange, queue, bindings, dead, deadSeconds, isDeadQueueTimed, delays, unusedSeconds } = topology;
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await assertQuorumQueue(channel, dead, isDeadQueueTimed ? ttl(deadSeconds) : {});
  // A message that crashes every worker becomes a dead one. Otherwise RabbitMQ 4 would drop it, and RabbitMQ 3 would
  // redeliver it forever.
  await assertQuorumQueue(channel, queue, {
    ...deadLetterArguments(topology, dead),
    'x-delivery-limit': DELIVERIES_MAX,
    ...(unusedSeconds !== undefined && { 'x-expires': unusedSeconds * 1000 }),
  });
  for (const delay of delays) {
    await assertQuorumQueue(channel, delay.queue, {
      ...deadLetterArguments(topology, queue),
      ...ttl(delay.seconds),
    });
  }
  for (const type of bindings) await channel.bindQueue(queue, exchange, type);
}

const DELIVERIES_MAX = 50;

/** Uses the default exchange, which routes by the queue’s name. */
function deadLetterArguments({ isLossless }: Topology, queue: string) {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    // RabbitMQ supports that only with queues that refuse messages when full.
    ...(isLossless && { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' }),
  };
}

function ttl(seconds: number) {
  return { 'x-message-ttl': Math.round(seconds * 1000) };
}

async function assertQuorumQueue(channel: Channel, name: string, more: Record<string, unknown>) {
  await channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...more } });
}
