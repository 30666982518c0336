import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, Unavailable, Unstorable, type Log } from '@gatehouse/runtime';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { Link } from '../broker/link.ts';
import { FAILURES_MAX, readFacts, type MessageFacts } from './message-facts.ts';
import { Sender } from '../broker/sender.ts';
import { setAside, type Failure } from './set-aside.ts';
import { declare, type Topology } from '../broker/topology.ts';

/** The outcome of a message: handled, to be retried, or given up. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'retry'; afterSeconds: number; reason: string }
  | { kind: 'dead'; reason: string };

export interface ConsumerOptions<Message> {
  url: string;
  /** The certificate authorities of the broker as PEM; by default those that Node trusts. */
  ca?: string | undefined;
  log: Log;
  topology: Topology;
  /** The maximum number of messages in progress. */
  prefetch: number;
  /** Validates and parses a message; a string says why it is not a valid one. */
  read(content: Buffer): Message | string;
  /** `traceparent` is the sender's, from the message's header. */
  handle(message: Message, traceparent?: string): Promise<Outcome>;
  /** Log fields of a message that could not be handled: ids, no personal data. */
  facts(message: Message): Record<string, unknown>;
  /** The process's name, shown in the broker's list of connections. */
  name?: string;
}

interface Session {
  channel: Channel;
  consumerTag: string;
  isOpen: boolean;
  /** Looks regularly whether the queue still exists. */
  watch?: NodeJS.Timeout;
}

const DRAIN_MS = 8000;
const PAUSE_MS = 500;
const WATCH_MS = 3000;
/** Without delay queues: a message whose handler fails occupies one of the places, so it is given up sooner. */
const FAILURES_HERE_MAX = 3;

/**
 * Consumes a queue, each message at least once. A message is acknowledged only after its outcome is stored: a retry
 * waits in a delay queue, or here if there is none; a message that is given up is stored in the dead queue with the
 * reason. It reconnects by itself and declares deleted queues again. The constructor starts it.
 */
export class Consumer<Message> {
  #options: ConsumerOptions<Message>;
  #topology: Topology;
  #underWay = new Set<Promise<void>>();
  #closing = new AbortController();
  #sender: Sender;
  #link: Link<Session>;

  constructor(options: ConsumerOptions<Message>) {
    const { url, ca, log, name = 'gatehouse', topology } = options;
    this.#options = options;
    this.#topology = topology;
    // A separate connection: a broker that blocks publishers stops reading from them, including acknowledgements. It
    // declares nothing when it reconnects: a quorum queue that is deleted and declared again before its consumer was
    // cancelled keeps that consumer and delivers nothing to it (seen with RabbitMQ 3.10).
    this.#sender = new Sender({ url, ca, log, name: `${name} retries`, topology, isDeclared: true });
    this.#link = new Link<Session>({
      url,
      ca,
      log,
      name: `${name} consumer`,
      open: (connection, lost) => this.#open(connection, lost),
    });
  }

  get isReady(): boolean {
    return this.#link.current !== undefined;
  }

  /** Accepts no more messages, and waits up to 8 s for those in progress. */
  async close(): Promise<void> {
    const session = this.#link.current;
    await session?.channel.cancel(session.consumerTag).catch(() => {});
    this.#closing.abort();
    await atMost(DRAIN_MS, Promise.all(this.#underWay));
    // Closing the channel waits for its acknowledgements; closing the connection could overtake them.
    await this.#link.close(({ channel }) => channel.close());
    await this.#sender.close();
  }

  get #failuresMax(): number {
    return this.#topology.delays.length === 0 ? FAILURES_HERE_MAX : FAILURES_MAX;
  }

  async #open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session> {
    const channel = await connection.createChannel();
    const session: Session = { channel, consumerTag: '', isOpen: true };
    channel.on('error', lost);
    channel.on('close', () => {
      clearInterval(session.watch);
      session.isOpen = false;
      lost(new Error('the channel was closed'));
    });
    await declare(channel, this.#topology);
    await channel.prefetch(this.#options.prefetch);
    const { consumerTag } = await channel.consume(this.#topology.queue, (message) => {
      if (message === null) lost(new Error('the queue was deleted'));
      else this.#begin(session, message);
    });
    session.consumerTag = consumerTag;
    if (!session.isOpen) return session;
    // The broker does not always report that a queue was deleted. A queue without consumers was deleted and declared again.
    session.watch = setInterval(() => {
      channel.checkQueue(this.#topology.queue).then(({ consumerCount }) => {
        if (consumerCount === 0) lost(new Error('the queue was deleted'));
      }, lost);
    }, WATCH_MS);
    return session;
  }

  #begin(session: Session, message: ConsumeMessage): void {
    const work = this.#settle(session, message)
      .catch((error: unknown) => {
        this.#options.log.error('failed to settle a message, rejecting it', { error });
        // The broker moves it to the dead messages: whatever it is, it must not occupy a place forever.
        if (session.isOpen) session.channel.nack(message, false, false);
      })
      .catch((error: unknown) => this.#options.log.error('failed to reject a message', { error }))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #settle(session: Session, message: ConsumeMessage): Promise<void> {
    const facts = readFacts(message, this.#topology);
    let outcome = await this.#outcome(message.content, facts);
    while (outcome.kind === 'retry' && this.#topology.delays.length === 0) {
      await sleep(outcome.afterSeconds * 1000, undefined, { signal: this.#closing.signal }).catch(() => {});
      // It is not acknowledged, so the broker redelivers it.
      if (!session.isOpen || this.#closing.signal.aborted) return;
      facts.failures = outcome.failures ?? facts.failures;
      outcome = await this.#outcome(message.content, facts, { isRepeat: true });
    }
    const copied = { content: message.content, facts };
    // The message is acknowledged once its copy is stored; if the channel breaks first, the broker redelivers it.
    while (outcome.kind !== 'done' && !(await setAside(this.#sender, this.#topology, copied, outcome))) {
      if (!session.isOpen) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    if (session.isOpen) session.channel.ack(message);
  }

  async #outcome(
    bytes: Buffer,
    before: MessageFacts,
    { isRepeat = false } = {},
  ): Promise<{ kind: 'done' } | Failure> {
    const { log, read, handle } = this.#options;
    const content = read(bytes);
    if (typeof content === 'string') {
      log.warn('unrecognized message, parking it', { queue: this.#topology.queue, reason: content });
      return { kind: 'dead', reason: content };
    }
    try {
      return await handle(content, before.traceparent);
    } catch (error) {
      const facts = { queue: this.#topology.queue, ...this.#options.facts(content), error };
      if (error instanceof Unavailable) {
        if (!isRepeat) log.warn('dependency unavailable, retrying the message later', facts);
        return { kind: 'retry', afterSeconds: error.retryAfterSeconds, reason: error.message };
      }
      log.error('failed to process a message', facts);
      if (error instanceof Unstorable) return { kind: 'dead', reason: 'a value cannot be stored' };
      const failures = before.failures + 1;
      if (failures >= this.#failuresMax) return { kind: 'dead', reason: 'processing failed repeatedly' };
      return { kind: 'retry', afterSeconds: 2 ** failures, reason: 'processing failed', failures };
    }
  }
}
