import type { Channel } from 'amqplib';
import { mailingTypes } from './contracts.ts';

/** The names of what stands on the broker, and how long each delay queue holds a message. */
export interface Topology {
  exchange: string;
  queue: string;
  dead: string;
  /** Shortest first. */
  delays: { queue: string; seconds: number }[];
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
    queue: `${prefix}mail`,
    dead: `${prefix}mail.dead`,
    delays: delaysSeconds
      .toSorted((one, other) => one - other)
      .map((seconds) => ({ queue: `${prefix}mail.retry.${seconds}s`, seconds })),
  };
}

/** Declares all of it; what already stands stays as it is. */
export async function declare(channel: Channel, topology: Topology): Promise<void> {
  const { exchange, queue, dead, delays } = topology;
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await assertQuorumQueue(channel, dead, {});
  // A message that kills every worker it meets ends among the dead instead of being dropped (RabbitMQ 4) or
  // going round for ever (RabbitMQ 3).
  await assertQuorumQueue(channel, queue, { ...deadLetterTo(dead), 'x-delivery-limit': DELIVERIES_MAX });
  for (const delay of delays) {
    await assertQuorumQueue(channel, delay.queue, {
      ...deadLetterTo(queue),
      'x-message-ttl': Math.round(delay.seconds * 1000),
    });
  }
  for (const type of mailingTypes) await channel.bindQueue(queue, exchange, type);
}

const DELIVERIES_MAX = 50;

/** By the default exchange, which leads to the queue of that name. */
function deadLetterTo(queue: string) {
  return { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': queue };
}

async function assertQuorumQueue(
  channel: Channel,
  name: string,
  more: Record<string, unknown>,
): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...more } });
}
