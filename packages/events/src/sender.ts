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
  confirmMs?: number;
}

interface Session {
  channel: ConfirmChannel;
  isBlocked: boolean;
}

const CONFIRM_MS = 5000;
const DECLARE_AGAIN_MS = 500;
/** Beyond it a caller is turned away, so that a broker that confirms nothing costs no memory. */
const IN_FLIGHT_MAX = 1000;

/** A message that the protocol cannot carry: a bug of ours, and no reason to try again. */
class Unsendable extends Error {}

/** Sends messages and knows of each whether the broker has taken it. */
export class Sender {
  #confirmMs: number;
  #log: Log;
  #topology: Topology;
  #inFlight = new Map<string, (fault?: unknown) => void>();
  #lastId = 0;
  #isDeclaring = false;
  #link: Link<Session>;

  constructor(options: SenderOptions) {
    this.#confirmMs = options.confirmMs ?? CONFIRM_MS;
    this.#log = options.log;
    this.#topology = options.topology;
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
   * Resolves once the broker has the message safe.
   *
   * @throws {Unavailable} when it has not within 5 s, cannot be reached, is blocked by an alarm, or (for
   * `mandatory` ones) has no queue for it. It may have been taken all the same: a repeat is possible.
   * @throws {Unsendable} when no broker could be sent it.
   */
  async send(exchange: string, key: string, content: Buffer, options: Options.Publish): Promise<void> {
    try {
      await this.#publish(exchange, key, content, options);
    } catch (error) {
      throw error instanceof Unsendable ? error : new Unavailable('rabbitmq', { cause: error });
    }
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
        // What was written stays in the client's buffers: only a new connection frees them.
        const late = new Error('no confirm in time');
        settle(late);
        this.#link.reset(late);
      }, this.#confirmMs);
      this.#inFlight.set(id, settle);
      try {
        session.channel.publish(exchange, key, content, { ...options, correlationId: id }, settle);
      } catch (error) {
        // The driver says so of a channel that has ended; all else is said of the message.
        const isEnded = error instanceof Error && error.name === 'IllegalOperationError';
        settle(isEnded ? error : new Unsendable('the message cannot be written', { cause: error }));
      }
    });
  }

  async #open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session> {
    const channel = await connection.createConfirmChannel();
    const session: Session = { channel, isBlocked: false };
    channel.on('error', lost);
    channel.on('close', () => lost(new Error('the channel was closed')));
    // A message that no queue took is confirmed all the same, right after it came back.
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
    await declare(channel, this.#topology);
    return session;
  }

  /**
   * Declares what was deleted, after a pause: a consumer must hear of the deletion first. One whose quorum queue
   * is replaced before that is served by neither queue (seen with RabbitMQ 3.10).
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
