import type { ChannelModel } from 'amqplib';

/** How full a queue is, and how many take from it. */
export interface QueueDepth {
  queue: string;
  /** Ready to be delivered; not those that a consumer has in hand. */
  messages: number;
  consumers: number;
}

/** Looks at each of these queues, in their order; a look needs no right on the queue. Those that do not exist are left out. */
export async function depthsOf(connection: ChannelModel, queues: readonly string[]): Promise<QueueDepth[]> {
  const found: QueueDepth[] = [];
  for (const queue of queues) {
    const depth = await depthOf(connection, queue);
    if (depth !== undefined) found.push(depth);
  }
  return found;
}

/** On a channel of its own, as the broker closes one that asks for a queue that does not exist. */
async function depthOf(connection: ChannelModel, queue: string): Promise<QueueDepth | undefined> {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    await channel.close();
    return { queue, messages: messageCount, consumers: consumerCount };
  } catch {
    return undefined;
  }
}
