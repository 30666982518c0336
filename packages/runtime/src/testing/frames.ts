/** The direction of data on a connection: `up` from the client to the server, `down` back. */
export type Direction = 'up' | 'down';

/** The protocol that a proxy splits into messages; `raw` passes bytes as they arrive. */
export type Protocol = 'raw' | 'postgres' | 'redis' | 'amqp' | 'smtp';

/** Receives the bytes of one direction as they arrive and returns the complete messages. */
export type Framer = (bytes: Buffer) => Buffer[];

export function framer(protocol: Protocol, direction: Direction): Framer {
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
