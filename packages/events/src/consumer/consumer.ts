import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, redactText, Unavailable, Unstorable, type Log } from '@gatehouse/runtime';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { compile, Type } from '@gatehouse/schema';
import { Link } from '../broker/link.ts';
import { Sender } from '../broker/sender.ts';
import { declare, type Topology } from '../broker/topology.ts';

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

/** The properties of a message, validated like all input: anyone who may publish can set them. */
export interface MessageFacts {
  /** The properties that a copy retains, if they are plain words. */
  identity: { contentType?: string; messageId?: string; type?: string };
  /** How often its handler has failed before. */
  failures: number;
  /** The sender's trace (W3C Trace Context §3.2); copies have none. */
  traceparent?: string;
}

const FAILURES_HEADER = 'x-failures';
/** A message whose handler fails although no dependency is down is a bug: it is given up after this many failures. */
export const FAILURES_MAX = 10;

/** Headers decoded from arbitrary bytes may be longer than the broker accepts: copies retain only plain words. */
const isWord = checkOf<string>(Type.String({ pattern: /^[\x21-\x7e]{1,128}$/.source, maxLength: 128 }));
const isCount = checkOf<number>(Type.Integer({ minimum: 0, maximum: FAILURES_MAX }));
const isList = checkOf<unknown[]>(Type.Array(Type.Unknown()));

/**
 * The count of failures is in a header that only we write, on the way into a delay queue; elsewhere it is ignored, and
 * a malformed one there means that retries are used up. So a sender can only end its own message sooner.
 */
export function readFacts({ properties }: ConsumeMessage, topology: Topology): MessageFacts {
  const given = properties as unknown as Record<string, unknown>; // the driver types what a sender chose
  const headers = (given['headers'] ?? {}) as Record<string, unknown>; // the driver's own object, or absent
  const identity: MessageFacts['identity'] = {};
  for (const name of ['contentType', 'messageId', 'type'] as const) {
    const value = given[name];
    if (isWord(value)) identity[name] = value;
  }
  const { traceparent } = headers;
  const common = { identity, ...(isWord(traceparent) && { traceparent }) };
  if (!wasDelayed(headers['x-death'], topology)) return { ...common, failures: 0 };
  const failures = headers[FAILURES_HEADER];
  return { ...common, failures: isCount(failures) ? failures : FAILURES_MAX };
}

function wasDelayed(deaths: unknown, { delays }: Topology): boolean {
  if (!isList(deaths)) return false;
  const queues = new Set<unknown>(delays.map(({ queue }) => queue));
  return deaths.some((death) => queues.has((death as { queue?: unknown } | null)?.queue));
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the schema lets through, as its caller knows
function checkOf<T>(schema: Parameters<typeof compile>[0]) {
  const check = compile(schema, { unknownFields: 'drop' });
  return (value: unknown): value is T => check(value) === undefined;
}

export type Failure =
  | { kind: 'retry'; afterSeconds: number; reason: string; /** Of its handler, so far. */ failures?: number }
  | { kind: 'dead'; reason: string };

const REASON_LENGTH_MAX = 500;
/** None of our messages is longer. The beginning of a longer one is enough to recognize it. */
const COPY_BYTES_MAX = 262_144;

/**
 * Puts a copy of a message into a delay queue or the dead queue; true once the copy is stored. Of the parts that the
 * sender chose, the copy contains only the content and plain words.
 */
async function setAside(
  sender: Sender,
  topology: Topology,
  message: { content: Buffer; facts: MessageFacts },
  failure: Failure,
): Promise<boolean> {
  const { content, facts } = message;
  const common = { ...facts.identity, persistent: true, mandatory: true };
  try {
    if (failure.kind === 'dead') {
      const headers = {
        'x-reason': redacted(failure.reason),
        'x-parked-at': new Date().toISOString(),
        ...(content.length > COPY_BYTES_MAX && { 'x-cut-from-bytes': content.length }),
      };
      const copy = content.subarray(0, COPY_BYTES_MAX);
      const expiration = topology.deadSeconds * 1000;
      await sender.send('', topology.dead, copy, { ...common, headers, expiration });
    } else {
      const { queue, milliseconds } = delayFor(topology, failure.afterSeconds);
      const failures = failure.failures ?? facts.failures;
      const headers = { 'x-reason': redacted(failure.reason), [FAILURES_HEADER]: failures };
      await sender.send('', queue, content, { ...common, headers, expiration: milliseconds });
    }
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/** The shortest sufficient delay: messages leave a queue in order, so increasing delays keep waits for others small. */
function delayFor(topology: Topology, seconds: number) {
  const delay = topology.delays.find((one) => one.seconds >= seconds) ?? topology.delays.at(-1);
  if (delay === undefined) throw new Error('the topology has no delay queue');
  const wait = Number.isFinite(seconds) ? Math.min(seconds, delay.seconds) : delay.seconds;
  const milliseconds = Math.max(1, Math.round(wait * 1000));
  return { queue: delay.queue, milliseconds };
}

/** Removes addresses, which events contain only sealed: mail servers quote the recipient in errors. */
function redacted(text: string): string {
  return redactText(text.slice(0, 4 * REASON_LENGTH_MAX)).slice(0, REASON_LENGTH_MAX);
}
