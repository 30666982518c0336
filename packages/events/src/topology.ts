import type { Channel } from 'amqplib';
import { mailingTypes } from './contracts.ts';

/** The names of what stands on the broker, and how long each delay queue holds a message. */
export interface Topology {
  exchange: string;
  queue: string;
  /** The types of events that come into the queue; other messages are sent to it by its name. */
  bindings: readonly string[];
  dead: string;
  /** How long what is dead is kept; without it, until somebody takes it out. */
  deadSeconds?: number;
  /** Shortest first. */
  delays: { queue: string; seconds: number }[];
  /**
   * Whether the broker moves a message from queue to queue as a publisher would, with a confirm. By default it may
   * lose one on the way, which does no harm where the sender sends it again.
   */
  isLossless: boolean;
}

/**
 * What Gatehouse declares: the exchange for everybody's events, the queue of the mails, its delay queues and
 * the place for what cannot be mailed. A prefix keeps test runs apart. A delay is part of its queue's name,
 * as a queue's time cannot be changed once it stands.
 */
export function topologyOf(options: { prefix?: string; delaysSeconds?: readonly number[] } = {}): Topology {
  const { prefix = '', delaysSeconds = [10, 60, 600, 3600] } = options;
  return {
    exchange: `${prefix}account.events`,
    ...queuesOf(`${prefix}mail`, delaysSeconds),
    bindings: mailingTypes,
    isLossless: false,
  };
}

/**
 * The queue over which the recognition pipeline reports faces, by its name. Nobody sends a report again, so that the
 * broker must not lose one either. What is no report is kept for two weeks: it may tell of people who are deleted.
 */
export function faceTopologyOf(
  options: { prefix?: string; delaysSeconds?: readonly number[] } = {},
): Topology {
  const { prefix = '', delaysSeconds = [5, 60, 600] } = options;
  return {
    exchange: `${prefix}account.events`,
    ...queuesOf(`${prefix}person.faces`, delaysSeconds),
    bindings: [],
    deadSeconds: 14 * 24 * 3600,
    isLossless: true,
  };
}

function queuesOf(
  queue: string,
  delaysSeconds: readonly number[],
): Pick<Topology, 'queue' | 'dead' | 'delays'> {
  return {
    queue,
    dead: `${queue}.dead`,
    delays: delaysSeconds
      .toSorted((one, other) => one - other)
      .map((seconds) => ({ queue: `${queue}.retry.${seconds}s`, seconds })),
  };
}

/** Declares all of it; what already stands stays as it is. */
export async function declare(channel: Channel, topology: Topology): Promise<void> {
  const { exchange, queue, bindings, dead, deadSeconds, delays } = topology;
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await assertQuorumQueue(channel, dead, deadSeconds === undefined ? {} : ttl(deadSeconds));
  // A message that kills every worker it meets ends among the dead instead of being dropped (RabbitMQ 4) or
  // going round for ever (RabbitMQ 3).
  await assertQuorumQueue(channel, queue, {
    ...deadLetterTo(topology, dead),
    'x-delivery-limit': DELIVERIES_MAX,
  });
  for (const delay of delays) {
    await assertQuorumQueue(channel, delay.queue, {
      ...deadLetterTo(topology, queue),
      ...ttl(delay.seconds),
    });
  }
  for (const type of bindings) await channel.bindQueue(queue, exchange, type);
}

const DELIVERIES_MAX = 50;

/** By the default exchange, which leads to the queue of that name. */
function deadLetterTo({ isLossless }: Topology, queue: string) {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    // Which the broker does only where a full queue refuses instead of dropping.
    ...(isLossless && { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' }),
  };
}

function ttl(seconds: number) {
  return { 'x-message-ttl': Math.round(seconds * 1000) };
}

async function assertQuorumQueue(
  channel: Channel,
  name: string,
  more: Record<string, unknown>,
): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...more } });
}
