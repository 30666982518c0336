import { randomBytes } from 'node:crypto';
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { testServers } from '@gatehouse/runtime/testing';
import { connect, type Channel, type ConsumeMessage, type GetMessage } from 'amqplib';
import { faceTopologyOf, topologyOf, type Topology } from '../broker/topology.ts';

/** The broker for a test: separate names, access to queues, and ways to disturb it. */
export interface TestBroker {
  url: string;
  topology: Topology;
  /** The topology of reported faces. */
  faces: Topology;
  channel: Channel;
  /** Consumes the messages of a queue; empty if the queue does not exist. */
  take(queue: string): Promise<GetMessage[]>;
  /** Deletes everything that was declared. */
  drop(): Promise<void>;
}

export async function testBroker(
  options: { delaysSeconds?: readonly number[]; deadSeconds?: number } = {},
): Promise<TestBroker> {
  const url = testServers().TEST_AMQP_URL;
  const { delaysSeconds = [1], deadSeconds } = options;
  const prefix = `test-${randomBytes(5).toString('hex')}.`;
  const topology = topologyOf({ prefix, ...(deadSeconds !== undefined && { deadSeconds }) });
  const faces = faceTopologyOf({ prefix, delaysSeconds });
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createChannel();
  return {
    url,
    topology,
    faces,
    channel,
    take: (queue) => take(url, queue),
    drop: async () => {
      for (const { queue, dead, delays } of [topology, faces]) {
        for (const name of [queue, dead, ...delays.map((delay) => delay.queue)])
          await channel.deleteQueue(name);
      }
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

/** The messages in each of Gatehouse's queues with properties and content; they are returned to the queue. */
export async function readQueues(url: string): Promise<Map<string, string[]>> {
  const connection = await connect(url, { noDelay: true });
  const found = new Map<string, string[]>();
  try {
    for (const { queue, dead, delays } of [topologyOf(), faceTopologyOf()]) {
      for (const name of [queue, dead, ...delays.map((delay) => delay.queue)]) {
        // Unacknowledged messages are requeued when their channel ends.
        const channel = await connection.createChannel();
        const texts: string[] = [];
        for (;;) {
          const message = await channel.get(name);
          if (message === false) break;
          texts.push(JSON.stringify(message.properties), message.content.toString());
        }
        found.set(name, texts);
        await channel.close();
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}

export { publishNested } from './nested-headers.ts';

/** A TCP proxy that can be cut, frozen and healed. */
export interface TcpProxy {
  url: string;
  /** Breaks every connection; `refuse` also refuses new ones until `heal`. */
  cut(options?: { refuse?: boolean }): void;
  /** Breaks the next connection whose client sends these bytes. Resolves when it has. */
  cutAt(bytes: Buffer): Promise<void>;
  /** Keeps connections open but transfers nothing, like a frozen server. */
  freeze(): void;
  heal(): void;
  /** Changes where new connections lead, like a DNS name. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let isFrozen = false;
  let isEnd: (bytes: Buffer) => boolean = () => false;
  const server = createServer((near) => {
    if (isRefusing) return near.destroy();
    const far = connectSocket(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (from === near && isEnd(bytes)) from.destroy();
        else to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (isFrozen) for (const socket of [near, far]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: ({ refuse = false } = {}) => {
      isRefusing = refuse;
      cut();
    },
    cutAt: (last) =>
      new Promise((resolve) => {
        isEnd = (bytes) => {
          if (!bytes.includes(last)) return false;
          isEnd = () => false;
          resolve();
          return true;
        };
      }),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isRefusing = isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    leadTo: (other) => {
      ({ hostname, port } = new URL(other));
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
