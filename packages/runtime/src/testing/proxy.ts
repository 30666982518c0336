import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface ProxiedMessage {
  direction: Direction;
  /** Counted from 1 in the order in which connections were opened. */
  connection: number;
  frame: Buffer;
}

/**
 * What happens to a message. `pass`: it is forwarded; a number: it is forwarded after so many milliseconds. `cut`: the
 * message and its connection are lost. `hold`: the message and all later ones in its direction are held back on an
 * open connection until the proxy is healed.
 */
export type Verdict = 'pass' | 'cut' | 'hold' | number;

interface Connection {
  id: number;
  near: Socket;
  far: Socket;
  held: Set<Direction>;
  waiting: { direction: Direction; frame: Buffer }[];
  /** The delayed messages by direction, and when the last of them is due. */
  delayed: Record<Direction, { frames: number; dueAt: number; last: Promise<void> }>;
  isHalfOpen: boolean;
}

/** A proxy for a server that can fail like networks and servers do. */
export class Proxy {
  /** Decides about every message; without it all messages pass. */
  tap: ((message: ProxiedMessage) => Verdict) | undefined;
  count = 0;
  targetPort: number;
  /** The URL of `to`, through this proxy. */
  url = '';
  readonly #host: string;
  readonly #protocol: Protocol;
  readonly #connections = new Set<Connection>();
  readonly #server: Server;
  #port = 0;
  #newOnes: 'carry' | 'reset' | 'silence' = 'carry';
  #delayMs = 0;

  private constructor(target: { host?: string; port: number }, protocol: Protocol) {
    this.#host = target.host ?? '127.0.0.1';
    this.targetPort = target.port;
    this.#protocol = protocol;
    this.#server = createServer((near) => this.#accept(near));
  }

  static async open(target: { host?: string; port: number }, protocol: Protocol = 'raw'): Promise<Proxy> {
    const proxy = new Proxy(target, protocol);
    await proxy.#listen();
    return proxy;
  }

  /** A proxy in front of the server with this URL; `url` leads to the server through it. */
  static async to(url: string): Promise<Proxy> {
    const { hostname: host, port } = new URL(url);
    const proxy = await Proxy.open({ host, port: Number(port) });
    proxy.url = proxy.reroute(url);
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  reroute(url: string): string {
    const rerouted = new URL(url);
    rerouted.host = `127.0.0.1:${this.#port}`;
    return rerouted.href;
  }

  /** Like a port without a listener: connections end, new ones are refused. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  /** Like a firewall that answers with RST: connections break, and new ones break at once. */
  reset(): void {
    this.#newOnes = 'reset';
    for (const { near } of this.#connections) near.resetAndDestroy();
  }

  /** Like a frozen server: connections stay open and new ones are accepted, but no data is forwarded. */
  blackHole(): void {
    this.#newOnes = 'silence';
    for (const { near, far } of this.#connections) for (const socket of [near, far]) socket.pause();
  }

  /** Delays each message by this time, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Like a firewall that has lost its state: clients get no reply on these connections, also after healing. */
  halfOpen(): void {
    for (const connection of this.#connections) {
      connection.isHalfOpen = true;
      connection.near.pause();
      connection.far.destroy();
    }
  }

  /** Breaks all current connections; new ones work. */
  cut(): void {
    for (const { near } of this.#connections) near.destroy();
  }

  /** Ends all faults and removes the tap. Messages that were held back are delivered. */
  async heal(): Promise<void> {
    this.#newOnes = 'carry';
    this.#delayMs = 0;
    this.tap = undefined;
    for (const connection of this.#connections) {
      if (connection.isHalfOpen) continue;
      connection.held.clear();
      for (const { direction, frame } of connection.waiting.splice(0))
        this.#write(connection, direction, frame);
      for (const socket of [connection.near, connection.far]) socket.resume();
    }
    if (!this.#server.listening) await this.#listen();
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.refuse();
    else this.cut();
  }

  /** Listens on the same port as before, if there was one. */
  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port; // the server listens on a port
  }

  #accept(near: Socket): void {
    near.setNoDelay(true);
    if (this.#newOnes === 'reset') return void near.on('error', () => {}).resetAndDestroy();
    const far = connect({ host: this.#host, port: this.targetPort, noDelay: true });
    const connection: Connection = {
      id: (this.count += 1),
      near,
      far,
      held: new Set(),
      waiting: [],
      delayed: { up: inTime(), down: inTime() },
      isHalfOpen: false,
    };
    this.#connections.add(connection);
    this.#carry(connection, 'up', near, far);
    this.#carry(connection, 'down', far, near);
    if (this.#newOnes === 'silence') for (const socket of [near, far]) socket.pause();
  }

  #carry(connection: Connection, direction: Direction, from: Socket, to: Socket): void {
    const frames = framer(this.#protocol, direction);
    from.on('data', (bytes) => {
      for (const frame of frames(bytes)) this.#judge(connection, direction, frame);
    });
    from.on('error', () => {});
    from.on('close', () => {
      if (connection.isHalfOpen && from === connection.far) return;
      this.#connections.delete(connection);
      to.destroy();
    });
  }

  #judge(connection: Connection, direction: Direction, frame: Buffer): void {
    if (connection.near.destroyed) return;
    const isHeld = connection.held.has(direction);
    const verdict = isHeld ? 'hold' : (this.tap?.({ direction, connection: connection.id, frame }) ?? 'pass');
    if (verdict === 'cut') return void connection.near.destroy();
    if (verdict === 'pass') return this.#write(connection, direction, frame);
    if (typeof verdict === 'number') return this.#write(connection, direction, frame, verdict);
    connection.held.add(direction);
    connection.waiting.push({ direction, frame });
  }

  /** Never overtakes an earlier message, because TCP keeps the order. */
  #write(
    { near, far, delayed }: Connection,
    direction: Direction,
    frame: Buffer,
    delayMs = this.#delayMs,
  ): void {
    const to = direction === 'up' ? far : near;
    const lane = delayed[direction];
    if (delayMs === 0 && lane.frames === 0) return void to.write(frame);
    lane.frames += 1;
    const dueAt = (lane.dueAt = Math.max(lane.dueAt, performance.now() + delayMs));
    lane.last = lane.last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      lane.frames -= 1;
      to.write(frame);
    });
  }
}

function inTime(): Connection['delayed'][Direction] {
  return { frames: 0, dueAt: 0, last: Promise.resolve() };
}

/** The direction of data on a connection: `up` from the client to the server, `down` back. */
type Direction = 'up' | 'down';

/** The protocol that a proxy splits into messages; `raw` passes bytes as they arrive. */
export type Protocol = 'raw' | 'postgres' | 'redis' | 'amqp' | 'smtp';

/** Receives the bytes of one direction as they arrive and returns the complete messages. */
type Framer = (bytes: Buffer) => Buffer[];

function framer(protocol: Protocol, direction: Direction): Framer {
  if (protocol === 'raw' || (protocol === 'redis' && direction === 'down')) return (bytes) => [bytes];
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const frames: Buffer[] = [];
    for (;;) {
      const length = LENGTH[protocol](rest, direction === 'up' && isFirst);
      if (length === undefined || rest.length < length) return frames;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      isFirst = false;
    }
  };
}

/** The length of the message that begins here; `undefined` if too few bytes have arrived to know it. */
const LENGTH: Record<Exclude<Protocol, 'raw'>, (bytes: Buffer, isOpening: boolean) => number | undefined> = {
  // A client's first message has no type (PostgreSQL, "Message Formats").
  postgres: (bytes, isOpening) => {
    const at = isOpening ? 0 : 1;
    return bytes.length < at + 4 ? undefined : at + bytes.readUInt32BE(at);
  },
  // The protocol header of 8 bytes, then type, channel, size, payload, end (AMQP 0-9-1 §4.2.3).
  amqp: (bytes, isOpening) => {
    if (isOpening) return 8;
    return bytes.length < 7 ? undefined : 8 + bytes.readUInt32BE(3);
  },
  smtp: (bytes) => {
    const end = bytes.indexOf('\r\n');
    return end < 0 ? undefined : end + 2;
  },
  redis: (bytes) => redisCommandLength(bytes),
};

/** `*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n`: a number of strings, each after its length. */
function redisCommandLength(bytes: Buffer): number | undefined {
  let at = 0;
  const number = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const value = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return value;
  };
  const count = number();
  if (count === undefined) return undefined;
  for (let index = 0; index < count; index++) {
    const length = number();
    if (length === undefined) return undefined;
    at += length + 2;
  }
  return at;
}

export function isCommitted(frame: Buffer): boolean {
  return frame[0] === 0x43 && frame.toString('latin1', 5, frame.length - 1) === 'COMMIT';
}
