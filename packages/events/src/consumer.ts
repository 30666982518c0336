import { Unavailable, type Log } from '@gatehouse/runtime';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { createEventReader, type AnyEvent } from './event.ts';
import { Link } from './link.ts';
import { Sender } from './sender.ts';
import { failuresOf, setAside, type Failure } from './set-aside.ts';
import { declare, topologyOf, type Topology } from './topology.ts';

/** What became of an event: handled, to be tried again, or beyond help. */
export type Outcome = 'done' | { retryAfterSeconds: number; reason: string } | { dead: string };

export interface ConsumerOptions {
  url: string;
  log: Log;
  /** How many events may be under way at once. */
  prefetch: number;
  handle(event: AnyEvent): Promise<Outcome>;
  /** The process's name, for the broker's list of connections. */
  name?: string;
  topology?: Topology;
}

interface Session {
  channel: Channel;
  consumerTag: string;
  isOpen: boolean;
}

const DRAIN_MS = 8000;
const PAUSE_MS = 500;
const WATCH_MS = 3000;
/** An event whose handling throws for no outage's sake meets a bug: after this often it is parked. */
const FAILURES_MAX = 10;

/**
 * Consumes the mail queue, each event at least once. It is acknowledged only after its outcome is safe: a retry
 * waits in a delay queue, what is beyond help in `mail.dead` with its reason. Reconnects by itself and declares
 * again what was deleted. Construction begins it.
 */
export class Consumer {
  #options: ConsumerOptions;
  #topology: Topology;
  #read = createEventReader();
  #underWay = new Set<Promise<void>>();
  #sender: Sender;
  #link: Link<Session>;

  constructor(options: ConsumerOptions) {
    const { url, log, name = 'gatehouse' } = options;
    this.#options = options;
    this.#topology = options.topology ?? topologyOf();
    // A connection of its own: a broker that blocks publishers stops reading from them, acknowledgements too.
    this.#sender = new Sender({ url, log, name: `${name} retries`, topology: this.#topology });
    this.#link = new Link<Session>({
      url,
      log,
      name: `${name} consumer`,
      open: (connection, lost) => this.#open(connection, lost),
    });
  }

  get isReady(): boolean {
    return this.#link.current !== undefined;
  }

  /** Takes no more events and waits, up to 8 s, for those under way. */
  async close(): Promise<void> {
    const session = this.#link.current;
    await session?.channel.cancel(session.consumerTag).catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.all(this.#underWay), timeout]);
    clearTimeout(timer);
    // The channel's own end comes after its acknowledgements; the connection's could overtake them.
    await this.#link.close(({ channel }) => channel.close());
    await this.#sender.close();
  }

  async #open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session> {
    const channel = await connection.createChannel();
    const session: Session = { channel, consumerTag: '', isOpen: true };
    channel.on('error', lost);
    channel.on('close', () => {
      clearInterval(watch);
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
    // The broker does not always say so when a queue is deleted: a queue that nobody consumes was made anew.
    const watch = setInterval(() => {
      channel.checkQueue(this.#topology.queue).then(({ consumerCount }) => {
        if (consumerCount === 0) lost(new Error('the queue was deleted'));
      }, lost);
    }, WATCH_MS);
    return session;
  }

  #begin(session: Session, message: ConsumeMessage): void {
    const work = this.#settle(session, message)
      .catch((error: unknown) => this.#options.log.error('an event could not be settled', { error }))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #settle(session: Session, message: ConsumeMessage): Promise<void> {
    const outcome = await this.#outcome(message);
    // The message stays ours until its copy is safe; should the channel go first, the broker sends it again.
    while (outcome !== 'done' && !(await setAside(this.#sender, this.#topology, message, outcome))) {
      if (!session.isOpen) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    if (session.isOpen) session.channel.ack(message);
  }

  async #outcome(message: ConsumeMessage): Promise<'done' | Failure> {
    const { log } = this.#options;
    const event = this.#read(message.content);
    if (typeof event === 'string') {
      log.warn('a message is no event of ours and is parked', { reason: event });
      return { dead: event };
    }
    try {
      return await this.#options.handle(event);
    } catch (error) {
      const facts = { eventId: event.id, type: event.type, traceId: event.traceid, error };
      if (error instanceof Unavailable) {
        log.warn('an event waits for a dependency', facts);
        return { retryAfterSeconds: error.retryAfterSeconds, reason: error.message };
      }
      log.error('an event could not be handled', facts);
      const failures = failuresOf(message) + 1;
      if (failures >= FAILURES_MAX) return { dead: 'its handling failed again and again' };
      return { retryAfterSeconds: 2 ** failures, reason: 'its handling failed', failures };
    }
  }
}
