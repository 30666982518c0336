import type { Protocol, ProxiedMessage } from '@gatehouse/runtime/testing';

/** An action of a process on a server, as seen in one of its messages. */
export interface Step {
  protocol: Protocol;
  connection: number;
  /** The statement on one line, the command, or the action on a mail or a message. */
  text: string;
  /** The message itself, including the parameters of a statement. */
  frame: Buffer;
}

export type ReadStep = (message: ProxiedMessage) => Step | undefined;

/** Messages that are no step (handshakes, heartbeats, parsing and end of a statement) give `undefined`. */
export function stepReader(protocol: Protocol): ReadStep {
  const read = READERS[protocol]();
  return ({ direction, connection, frame }) => {
    const text = direction === 'up' ? read(frame, connection) : undefined;
    return text === undefined ? undefined : { protocol, connection, text, frame };
  };
}

/** Whether the message is the server's reply that a step is done. */
export function isAnswer(protocol: Protocol, frame: Buffer): boolean {
  if (protocol === 'postgres') return frame[0] === READY_FOR_QUERY;
  if (protocol === 'amqp') return methodOf(frame) === BASIC_ACK;
  if (protocol === 'smtp') return /^\d{3} /.test(frame.toString('latin1', 0, 4));
  return true;
}

type Read = (frame: Buffer, connection: number) => string | undefined;

const READERS: Record<Protocol, () => Read> = {
  raw: () => () => undefined,
  postgres: readStatements,
  redis: () => readCommand,
  amqp: () => readMethod,
  smtp: readMailCommands,
};

const READY_FOR_QUERY = 0x5a;
const SIMPLE_QUERY = 0x51;
const PARSE = 0x50;
const BIND = 0x42;

/** A step when its parameters are sent. A named statement is parsed once per connection, then used by name. */
function readStatements(): Read {
  const parsed = new Map<string, string>();
  return (frame, connection) => {
    const text = frame.toString('utf8', 5, frame.length - 1);
    // COMMIT is sent together with a check of the clock, whose text differs each time.
    if (frame[0] === SIMPLE_QUERY) return oneLine(text).replace(/^select 1 \/ .*; COMMIT$/, 'COMMIT');
    // The name and the statement, or the portal and the name.
    const [first = '', second = ''] = text.split('\0', 2);
    if (frame[0] === PARSE) parsed.set(`${connection} ${first}`, oneLine(second));
    return frame[0] === BIND ? parsed.get(`${connection} ${second}`) : undefined;
  };
}

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').replace(/;$/, '').trim();
}

/** The scripts that read and write cached sessions, and count failures. */
function readCommand(frame: Buffer): string | undefined {
  const [, , name = ''] = frame.toString('latin1').split('\r\n');
  return /^evalsha$/i.test(name) ? 'script' : undefined;
}

const BASIC_PUBLISH = '60.40';
const BASIC_ACK = '60.80';

function readMethod(frame: Buffer): string | undefined {
  return { [BASIC_PUBLISH]: 'publish', [BASIC_ACK]: 'ack' }[methodOf(frame)];
}

/** Class and method (AMQP 0-9-1 §4.2.4); empty for frames that are not methods. */
function methodOf(frame: Buffer): string {
  return frame[0] === 1 && frame.length > 11 ? `${frame.readUInt16BE(7)}.${frame.readUInt16BE(9)}` : '';
}

function readMailCommands(): Read {
  const inContent = new Set<number>();
  return (frame, connection) => {
    const line = frame.toString('latin1').trimEnd();
    if (inContent.has(connection)) {
      if (line !== '.') return undefined;
      inContent.delete(connection);
      return 'end of the mail';
    }
    if (line === 'DATA') inContent.add(connection);
    return /^(MAIL FROM|RCPT TO|DATA)/.exec(line)?.[0];
  };
}
