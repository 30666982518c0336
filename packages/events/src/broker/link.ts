import { atMost, startWakeableLoop, trustOf, type Log, type Trust } from '@gatehouse/runtime';
import { connect, type ChannelModel } from 'amqplib';
import { readBrokerUrls } from './broker-settings.ts';
import { ignoreUnreadableHeaders } from './unreadable-headers.ts';

export interface LinkOptions<Session> {
  /** One address, or several separated by commas, which are tried one after the other until one responds. */
  url: string;
  /** The certificate authorities of the broker as PEM; by default those that Node trusts. */
  ca?: string | undefined;
  /** Shown in the broker's list of connections. */
  name: string;
  log: Log;
  /** Sets up a new connection; calls `lost` if what it set up breaks. */
  open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session>;
  onLost?(): void;
}

const CONNECT_MS = 3000;
const OPEN_MS = 5000;
/** A connection is given up after two to three missed heartbeats, which is soon enough to recover within 10 s. */
const HEARTBEAT_SECONDS = 3;
const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 2000;
/** After a connection that lasted this long, the pauses between attempts start small again. */
const STEADY_MS = 5000;

/** A connection to the broker that reconnects by itself, and repeats `open` each time. */
export class Link<Session> {
  #options: LinkOptions<Session>;
  #urls: readonly string[];
  /** The node that is tried next. Processes start with different ones. */
  #next: number;
  #trust: Trust | undefined;
  #session: Session | undefined;
  #isClosed = false;
  #lost: (reason: Error) => void = () => {};
  #pauseMs = PAUSE_MIN_MS;
  /** Each reason is logged once in an outage: another one, such as a changed password, needs another remedy. */
  #reasonsKnown = new Set<string>();
  #loop: ReturnType<typeof startWakeableLoop>;

  constructor(options: LinkOptions<Session>) {
    this.#options = options;
    const { urls, isTls } = readBrokerUrls(options.url);
    this.#urls = urls;
    this.#next = Math.floor(Math.random() * urls.length);
    this.#trust = trustOf({ name: 'AMQP', isTls, ca: options.ca });
    this.#loop = startWakeableLoop(
      () => this.#nextPauseMs(),
      async () => {
        await this.#connect();
        return false;
      },
    );
  }

  /** The result of `open`; `undefined` while there is no connection. */
  get current(): Session | undefined {
    return this.#session;
  }

  /** Drops the connection as broken; a new one is opened. */
  reset(reason: Error): void {
    this.#lost(reason);
  }

  /** Closes permanently, after `finish`, which may take up to a second. */
  async close(finish?: (session: Session) => Promise<unknown>): Promise<void> {
    this.#isClosed = true;
    const ended = this.#loop.stop();
    if (this.#session !== undefined && finish) await within(1000, finish(this.#session)).catch(() => {});
    this.#lost(new Error('closed'));
    await ended;
  }

  /** Connects to the next node, until that connection is lost. */
  async #connect(): Promise<void> {
    const { log, name } = this.#options;
    let upSince = Infinity;
    const url = this.#urls[this.#next] ?? '';
    this.#next = (this.#next + 1) % this.#urls.length;
    try {
      await this.#live(url, () => {
        upSince = Date.now();
        this.#reasonsKnown.clear();
        log.info('connected to the message broker', { link: name });
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#isClosed && !this.#reasonsKnown.has(reason))
        log.warn('message broker unavailable, retrying', { link: name, error });
      this.#reasonsKnown.add(reason);
    }
    if (Date.now() - upSince > STEADY_MS) this.#pauseMs = PAUSE_MIN_MS;
  }

  /** Each node of a cluster is tried once before the pause grows. */
  #nextPauseMs(): number {
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    if (this.#next === 0) this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MAX_MS);
    return pauseMs;
  }

  /** One connection from start to end; always rejects with an error. */
  async #live(url: string, onUp: () => void): Promise<never> {
    const { name, log } = this.#options;
    const connection = await connect(withHeartbeat(url), {
      timeout: CONNECT_MS,
      noDelay: true,
      keepAlive: true,
      clientProperties: { connection_name: name },
      ...this.#trust,
    });
    ignoreUnreadableHeaders(connection, (error) =>
      log.warn('message headers unreadable, ignoring them', { link: name, error }),
    );
    const end = new Promise<Error>((resolve) => {
      this.#lost = resolve;
      connection.on('error', resolve);
      connection.on('close', (error) => resolve(error ?? new Error('the connection was closed')));
    });
    const broken = end.then((reason) => Promise.reject(reason));
    broken.catch(() => {});
    try {
      if (this.#isClosed) throw new Error('closed');
      const opening = Promise.race([this.#options.open(connection, this.#lost), broken]);
      const session = await within(OPEN_MS, opening);
      this.#session = session;
      onUp();
      return await broken;
    } finally {
      this.#session = undefined;
      this.#options.onLost?.();
      await shut(connection);
    }
  }
}

function withHeartbeat(url: string): string {
  const parts = new URL(url);
  if (!parts.searchParams.has('heartbeat')) parts.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parts.href;
}

/** Closes the connection, by force if the broker does not respond. */
async function shut(connection: ChannelModel): Promise<void> {
  try {
    await within(1000, connection.close());
  } catch {
    // Closed already, or the broker does not respond: the socket is destroyed in either case.
  }
  // A frozen broker never reads what is buffered, and ending the socket would wait for that. amqplib has no other way to
  // destroy it.
  const { stream } = connection.connection as unknown as { stream?: { destroy?: () => void } };
  stream?.destroy?.();
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = await atMost(
    ms,
    work.then((result) => ({ result })),
  );
  if (done === undefined) throw new Error('the broker did not answer in time');
  return done.result;
}
