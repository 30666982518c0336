import type { ChannelModel } from 'amqplib';

export interface QueueDepth {
  queue: string;
  /** Messages ready for delivery, without those that a consumer has not acknowledged yet. */
  messages: number;
  consumers: number;
}

/** The depths of these queues, in their order, without queues that do not exist. Needs no permission on the queues. */
export async function depthsOf(connection: ChannelModel, queues: readonly string[]): Promise<QueueDepth[]> {
  const found: QueueDepth[] = [];
  for (const queue of queues) {
    const depth = await depthOf(connection, queue);
    if (depth !== undefined) found.push(depth);
  }
  return found;
}

/** Uses a separate channel, as the broker closes a channel that asks for a queue that does not exist. */
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
