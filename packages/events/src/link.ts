import { trustOf, type Log, type Trust } from '@gatehouse/runtime';
import { connect, type ChannelModel } from 'amqplib';
import { ignoreUnreadableHeaders } from './unreadable-headers.ts';

export interface LinkOptions<Session> {
  url: string;
  /** Who may sign the broker's certificate, as PEM; without it the authorities that Node trusts. */
  ca?: string | undefined;
  /** Shown in the broker's list of connections. */
  name: string;
  log: Log;
  /** Builds on a fresh connection; `lost` reports that what it built has broken. */
  open(connection: ChannelModel, lost: (reason: Error) => void): Promise<Session>;
  onLost?(): void;
}

const CONNECT_MS = 3000;
const OPEN_MS = 5000;
/** Two to three of them without a word end a connection: soon enough to be back within 10 s. */
const HEARTBEAT_SECONDS = 3;
const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 2000;
/** A connection that lived this long was a good one: the pause before the next starts small again. */
const STEADY_MS = 5000;

/** A connection to the broker that comes back by itself, with what was opened over it. */
export class Link<Session> {
  #options: LinkOptions<Session>;
  #trust: Trust | undefined;
  #session: Session | undefined;
  #isClosed = false;
  #lost: (reason: Error) => void = () => {};
  #endPause: () => void = () => {};
  #ended: Promise<void>;

  constructor(options: LinkOptions<Session>) {
    this.#options = options;
    const { url, ca } = options;
    this.#trust = trustOf({ name: 'AMQP', isTls: url.startsWith('amqps:'), ca });
    this.#ended = this.#keepUp();
  }

  /** What `open` gave; `undefined` while there is no connection. */
  get current(): Session | undefined {
    return this.#session;
  }

  /** Gives the connection up for broken; a new one follows. */
  reset(reason: Error): void {
    this.#lost(reason);
  }

  /** Ends for good; `finish` is the last that is done with what was opened, for a second at most. */
  async close(finish?: (session: Session) => Promise<unknown>): Promise<void> {
    this.#isClosed = true;
    if (this.#session !== undefined && finish) await within(1000, finish(this.#session)).catch(() => {});
    this.#lost(new Error('closed'));
    this.#endPause();
    await this.#ended;
  }

  async #keepUp(): Promise<void> {
    const { log, name } = this.#options;
    let pauseMs = PAUSE_MIN_MS;
    let isDownKnown = false;
    while (!this.#isClosed) {
      let upSince = Infinity;
      try {
        await this.#live(() => {
          upSince = Date.now();
          isDownKnown = false;
          log.info('connected to the message broker', { link: name });
        });
      } catch (error) {
        if (!this.#isClosed && !isDownKnown)
          log.warn('message broker unavailable, retrying', { link: name, error });
        isDownKnown = true;
      }
      if (this.#isClosed) return;
      if (Date.now() - upSince > STEADY_MS) pauseMs = PAUSE_MIN_MS;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2));
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    }
  }

  /** One connection from its first to its last breath, which is always an error. */
  async #live(onUp: () => void): Promise<never> {
    const { url, name, log } = this.#options;
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
      const session = await within(
        OPEN_MS,
        Promise.race([this.#options.open(connection, this.#lost), broken]),
      );
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

/** Ends the connection politely where the broker answers, and for certain where it does not. */
async function shut(connection: ChannelModel): Promise<void> {
  try {
    await within(1000, connection.close());
  } catch {
    // It was closed already, or the broker does not answer: the socket goes either way.
  }
  // A frozen broker never takes what is buffered, so that ending the socket would wait for ever; amqplib offers
  // no other way to it.
  const { stream } = connection.connection as unknown as { stream?: { destroy?: () => void } };
  stream?.destroy?.();
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the broker did not answer in time')), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
