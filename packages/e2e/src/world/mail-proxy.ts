import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of the mail server, in the position of an attacker or a careless operator. */
export interface MailProxy {
  port: number;
  /** Forwards mails, or answers each with `550` or `451` and quotes the mail in the reply. */
  setMode(mode: Mode): void;
  /** The texts of the refused mails, without headers. */
  refused: string[];
  close(): Promise<void>;
}

type Mode = 'open' | '550' | '451';

/** Opens a proxy in front of the mail server on this port. */
export async function openMailProxy(target: number): Promise<MailProxy> {
  const sockets = new Set<Socket>();
  const refused: string[] = [];
  let mode: Mode = 'open';
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (mode !== 'open') return quoteTo(near, mode, refused);
    const far = connect(target, '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // the server listens on a port
    refused,
    setMode: (next) => {
      mode = next;
      breakAll();
    },
    close: () => {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Behaves like a mail server that refuses everything and quotes it in the reply. Some servers quote lines that they
 * refuse.
 */
function quoteTo(socket: Socket, code: '550' | '451', refused: string[]): void {
  let rest = '';
  let recipient = '';
  let isContent = false;
  const command = (line: string): void => {
    if (/^RCPT TO/i.test(line)) recipient = /<([^<>]*)>/.exec(line)?.[1] ?? '';
    isContent = /^DATA/i.test(line);
    socket.write(isContent ? '354 go on\r\n' : '250 ok\r\n');
  };
  const refuse = (content: string): void => {
    isContent = false;
    const [, ...parts] = content.split('\r\n\r\n');
    const mail = parts.join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    refused.push(mail);
    const quoted = /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}|InvitationToken=[\w-]+/.exec(mail)?.[0];
    socket.write(`${code} <${recipient}>: we do not like ${quoted ?? 'it'}\r\n`);
  };
  socket.write('220 door ESMTP\r\n');
  socket.on('data', (bytes) => {
    rest += bytes.toString('utf8');
    for (;;) {
      const end = isContent ? '\r\n.\r\n' : '\r\n';
      const cut = rest.indexOf(end);
      if (cut < 0) return;
      const part = rest.slice(0, cut);
      rest = rest.slice(cut + end.length);
      if (isContent) refuse(part);
      else command(part);
    }
  });
}
