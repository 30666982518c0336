import { Unavailable, type Log } from '@gatehouse/runtime';
import type { ChannelModel, ConfirmChannel, Options } from 'amqplib';
import { Link } from './link.ts';
import { declare, type Topology } from './topology.ts';

export interface SenderOptions {
  url: string;
  ca?: string | undefined;
  name: string;
  log: Log;
  topology: Topology;
  /** Whether the caller has its own connection that declares the topology. */
  isDeclared?: boolean;
  confirmMs?: number;
}

interface Session {
  connection: ChannelModel;
  channel: ConfirmChannel;
  isBlocked: boolean;
  isRefusing: boolean;
}

const CONFIRM_MS = 5000;
const DECLARE_AGAIN_MS = 500;
/** More messages are refused, so that a broker that does not confirm uses no more memory. */
const IN_FLIGHT_MAX = 1000;

/** A message that the protocol cannot express: a bug, so it is not retried. */
class Unsendable extends Error {}

/** Sends messages, and reports for each whether the broker has stored it. */
export class Sender {
  #confirmMs: number;
  #log: Log;
  #topology: Topology;
  #isDeclared: boolean;
  #inFlight = new Map<string, (fault?: unknown) => void>();
  #lastId = 0;
  #isDeclaring = false;
  #depths: Promise<QueueDepth[]> | undefined;
  #link: Link<Session>;

  constructor(options: SenderOptions) {
    this.#confirmMs = options.confirmMs ?? CONFIRM_MS;
    this.#log = options.log;
    this.#topology = options.topology;
    this.#isDeclared = options.isDeclared ?? false;
    this.#link = new Link<Session>({
      ...options,
      open: (connection, lost) => this.#open(connection, lost),
      onLost: () => this.#failAll('the connection was lost'),
    });
  }

  get isReady(): boolean {
    return this.#link.current?.isBlocked === false;
  }

  /**
   * Resolves once the broker has stored the message.
   *
   * @throws {Unavailable} if that took longer than 5 s, the broker cannot be reached or is blocked by an alarm, or there
   * is no queue for a `mandatory` message. The broker may have stored it nevertheless, so a retry may repeat it.
   * @throws {Unsendable} for a message that no broker would accept.
   */
  async send(exchange: string, key: string, content: Buffer, options: Options.Publish): Promise<void> {
    try {
      await this.#publish(exchange, key, content, options);
    } catch (error) {
      throw error instanceof Unsendable ? error : new Unavailable('rabbitmq', { cause: error });
    }
  }

  /** Without queues that do not exist. Concurrent calls share a result. @throws {Unavailable} without a connection. */
  async depthsOf(queues: readonly string[]): Promise<QueueDepth[]> {
    const session = this.#link.current;
    if (session === undefined) throw new Unavailable('rabbitmq');
    this.#depths ??= depthsOf(session.connection, queues).finally(() => {
      this.#depths = undefined;
    });
    return await this.#depths;
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  #publish(exchange: string, key: string, content: Buffer, options: Options.Publish): Promise<void> {
    return new Promise((resolve, reject) => {
      const session = this.#link.current;
      if (session === undefined) throw new Error('not connected');
      if (session.isBlocked) throw new Error('blocked by an alarm');
      if (this.#inFlight.size >= IN_FLIGHT_MAX) throw new Error('too many messages are unconfirmed');
      const id = String((this.#lastId += 1));
      const settle = (fault?: unknown): void => {
        clearTimeout(timer);
        this.#inFlight.delete(id);
        if (fault) reject(fault);
        else resolve();
      };
      const timer = setTimeout(() => {
        // Unsent bytes stay in the client’s buffers: only a new connection frees them.
        const late = new Error('no confirm in time');
        settle(late);
        this.#link.reset(late);
      }, this.#confirmMs);
      this.#inFlight.set(id, settle);
      try {
        session.channel.publish(exchange, key, content, { ...options, correlationId: id }, (fault) => {
          settle(fault);
          if (fault) this.#reopen(session);
        });
      } catch (error) {
        // amqplib’s error for a closed channel; other errors are about the message.
        const isEnded = error instanceof Error && error.name === 'IllegalOperationError';
        settle(isEnded ? error : new Unsendable('the message cannot be written', { cause: error }));
      }
    });
  }

  async #open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session> {
    const channel = await connection.createConfirmChannel();
    const session: Session = { connection, channel, isBlocked: false, isRefusing: false };
    channel.on('error', lost);
    channel.on('close', () => lost(new Error('the channel was closed')));
    // A message that no queue accepted is confirmed as well, right after it was returned.
    channel.on('return', ({ properties, fields }) => {
      this.#inFlight.get(String(properties.correlationId))?.(new Error('no queue takes it'));
      this.#declareAgain(channel, lost, fields.routingKey);
    });
    connection.on('blocked', (reason) => {
      session.isBlocked = true;
      this.#log.warn('message broker is blocking publishers', { reason });
      this.#failAll('blocked by an alarm');
    });
    connection.on('unblocked', () => {
      session.isBlocked = false;
    });
    if (!this.#isDeclared) await declare(channel, this.#topology);
    return session;
  }

  /**
   * Opens a new connection after the broker has refused a message. A channel that is opened while a quorum queue elects a
   * leader may refuse all messages until the former leader’s node is back (seen with RabbitMQ 3.10). It does so after a
   * pause, because a queue that is being deleted refuses messages too, and opening declares it again.
   */
  #reopen(session: Session): void {
    if (session.isRefusing) return;
    session.isRefusing = true;
    setTimeout(() => {
      if (this.#link.current === session) this.#link.reset(new Error('the broker refused a message'));
    }, DECLARE_AGAIN_MS);
  }

  /**
   * Declares deleted queues again, after a pause, as the consumer must notice the deletion first: a quorum queue that is
   * replaced before that serves no consumer (seen with RabbitMQ 3.10).
   */
  #declareAgain(channel: ConfirmChannel, lost: (reason: Error) => void, routingKey: string): void {
    if (this.#isDeclaring) return;
    this.#isDeclaring = true;
    this.#log.warn('message not routed to any queue, redeclaring the queues', { routingKey });
    setTimeout(() => {
      this.#isDeclaring = false;
      declare(channel, this.#topology).catch(lost);
    }, DECLARE_AGAIN_MS);
  }

  #failAll(reason: string): void {
    for (const settle of this.#inFlight.values()) settle(new Error(reason));
  }
}

export interface QueueDepth {
  queue: string;
  /** Messages ready for delivery, without those that a consumer has not acknowledged yet. */
  messages: number;
  consumers: number;
}

/** The depths of these queues, in their order, without queues that do not exist. Needs no permission on the queues. */
async function depthsOf(connection: ChannelModel, queues: readonly string[]): Promise<QueueDepth[]> {
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
