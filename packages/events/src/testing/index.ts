import { randomBytes, randomUUID } from 'node:crypto';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { connect, type ConsumeMessage, type GetMessage } from 'amqplib';
import { newMailEvent } from '../event/event.ts';
import { createSeal } from '../event/seal.ts';
import { faceTopologyOf, hookTopologyOf, topologyOf } from '../broker/topology.ts';

export function mailEvent(UserId: string = randomUUID(), origin: { traceId?: string } = {}) {
  const seal = createSeal(mailPublicKeyOf('k'.repeat(32)));
  const content = { Email: 'ann@example.com', Locale: 'en', At: new Date().toISOString() };
  return newMailEvent(seal, 'account.registration-repeated', { UserId }, content, origin);
}

export type TestBroker = Awaited<ReturnType<typeof testBroker>>;

export async function testBroker(options: { delaysSeconds?: readonly number[]; deadSeconds?: number } = {}) {
  const url = testServers().amqpUrl;
  const { delaysSeconds = [1], deadSeconds } = options;
  const prefix = `test-${randomBytes(5).toString('hex')}.`;
  const topology = topologyOf({ prefix, ...(deadSeconds !== undefined && { deadSeconds }) });
  const faces = faceTopologyOf({ prefix, delaysSeconds });
  const hooks = hookTopologyOf({ prefix });
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createChannel();
  return {
    url,
    /** The topologies of mails, of reported faces and of events for webhooks. */
    ...{ topology, faces, hooks },
    channel,
    /** Consumes the messages of a queue; empty if the queue does not exist. */
    take: (queue: string) => take(url, queue),
    /** The messages that are parked, once there are so many. */
    parked: async (count = 1) => {
      const found: GetMessage[] = [];
      await eventually(async () => {
        found.push(...(await take(url, topology.dead)));
        return found.length >= count;
      }, 15);
      return found;
    },
    drop: async () => {
      for (const { queue, dead, delays } of [topology, faces, hooks])
        for (const name of [queue, dead, ...delays.map((delay) => delay.queue)])
          await channel.deleteQueue(name);
      await channel.deleteExchange(topology.exchange);
      await connection.close();
    },
  };
}

/** Uses a separate connection: the broker closes one that asks for a queue that is being deleted. */
async function take(url: string, queue: string): Promise<GetMessage[]> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => {});
  const messages: GetMessage[] = [];
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    for (;;) {
      const message = await channel.get(queue, { noAck: true });
      if (message === false) return messages;
      messages.push(message);
    }
  } catch {
    return messages; // there is no such queue, or no longer
  } finally {
    await connection.close().catch(() => {});
  }
}

/** Receives every event from now on, without taking it from its consumers. */
export async function listenToEvents(url: string): Promise<{ stop(): Promise<string[]> }> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => {});
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, topologyOf().exchange, '#');
  const heard: string[] = [];
  const hear = (message: ConsumeMessage | null): void => {
    if (message !== null) heard.push(JSON.stringify(message.properties), message.content.toString());
  };
  await channel.consume(queue, hear, { noAck: true });
  return {
    stop: async () => {
      await connection.close();
      return heard;
    },
  };
}
