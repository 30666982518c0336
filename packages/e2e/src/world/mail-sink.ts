import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail that the sink has accepted, even if its sender does not know it. */
export interface Received {
  to: string;
  messageId: string;
  /** The mail as it was transmitted, without soft line breaks. */
  text: string;
  /** When its end arrived, in epoch milliseconds. */
  at: number;
  /** Whether the reply that accepts it was sent. */
  isAnswered: boolean;
}

/** The stages of a conversation in which the mail server can misbehave. */
export type Stage = 'greeting' | 'from' | 'to' | 'data' | 'content';

/**
 * Returns what the server does at a stage: sends this reply (`451 later`), never replies (`silent`) or breaks the
 * connection (`break`). At `content` the mail is given too, and counts as accepted unless the reply is a 4xx or 5xx.
 */
export type Behaviour = (stage: Stage, to: string, content: string) => string | undefined;

/** A mail server that stores mails in memory and can be made to misbehave. */
export interface Sink {
  port: number;
  mails: Received[];
  /** `undefined`: accepts every mail. */
  behaviour: Behaviour | undefined;
  mailsTo(email: string): Received[];
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, sink);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: Sink = {
    port: (server.address() as AddressInfo).port, // the server listens on a port
    mails: [],
    behaviour: undefined,
    mailsTo: (email) => sink.mails.filter(({ to }) => to.toLowerCase() === email.toLowerCase()),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return sink;
}

const STANDARD: Record<Stage, string> = {
  greeting: '220 sink ESMTP',
  from: '250 ok',
  to: '250 ok',
  data: '354 go on',
  content: '250 taken',
};

function converse(socket: Socket, sink: Sink): void {
  let rest = '';
  let recipient = '';
  let isContent = false;
  const at = (stage: Stage, content = ''): string => {
    const reply = sink.behaviour?.(stage, recipient, content) ?? STANDARD[stage];
    if (stage === 'content' && !/^[45]/.test(reply)) return reply;
    if (reply === 'break') socket.destroy();
    else if (reply !== 'silent') socket.write(`${reply}\r\n`);
    return reply;
  };
  const take = (content: string): void => {
    const reply = at('content', content);
    isContent = false;
    if (/^[45]/.test(reply)) return;
    const messageId = /^message-id: (.*)$/im.exec(content)?.[1] ?? '';
    const text = content.replaceAll('=\r\n', '');
    const mail = { to: recipient, messageId: messageId.trim(), text, at: Date.now(), isAnswered: false };
    sink.mails.push(mail);
    if (reply === 'break') socket.destroy();
    if (socket.destroyed || reply === 'silent') return;
    mail.isAnswered = true;
    socket.write(`${reply}\r\n`);
  };
  const command = (line: string): void => {
    if (/^(EHLO|HELO)/i.test(line)) return void socket.write('250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n');
    if (/^MAIL FROM/i.test(line)) return void at('from');
    if (/^RCPT TO/i.test(line)) {
      recipient = /<([^<>]*)>/.exec(line)?.[1] ?? '';
      return void at('to');
    }
    if (/^DATA/i.test(line)) return void (isContent = at('data').startsWith('354'));
    if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n');
    socket.write('250 ok\r\n');
  };
  at('greeting');
  socket.on('data', (bytes) => {
    rest += bytes.toString('utf8');
    for (;;) {
      const end = isContent ? '\r\n.\r\n' : '\r\n';
      const cut = rest.indexOf(end);
      if (cut < 0) return;
      const part = rest.slice(0, cut);
      rest = rest.slice(cut + end.length);
      if (isContent) take(part);
      else command(part);
    }
  });
}
