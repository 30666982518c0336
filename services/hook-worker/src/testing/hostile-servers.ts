import { createServer, type Socket } from 'node:net';
import { listen } from '@gatehouse/runtime';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** What servers do with a connection to gain something by it. */
const CONNECTIONS: Record<string, (socket: Socket) => void> = {
  'never answers': () => {},
  'stops in its header': (socket) => socket.write(`${HEAD}X: `),
  'stops after its header': (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n`),
  'sends a byte a second': (socket) => {
    const text = `${HEAD}${'X: y\r\n'.repeat(99)}`;
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 1000);
    socket.on('close', () => clearInterval(timer));
  },
  'answers 103 without end': (socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  'answers 100 without end': (socket) => endless(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'has a header without end': (socket) => endless(socket, 'X: y\r\n', HEAD),
  'has one field without end': (socket) => endless(socket, 'x'.repeat(999), `${HEAD}X: `),
  'has a body without end': (socket) => endless(socket, 'x'.repeat(9999), `${HEAD}\r\n`),
  'has chunks of a byte without end': (socket) => endless(socket, '1\r\nx\r\n', CHUNKED),
  'has an extension without end': (socket) => endless(socket, ';a=b', `${CHUNKED}1`),
  'has many extensions': (socket) => endless(socket, `1;${'a'.repeat(9999)}\r\nx\r\n`, CHUNKED),
  'has trailers without end': (socket) => endless(socket, 'X: y\r\n', `${CHUNKED}0\r\n`),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'closes it': (socket) => socket.end(),
  'speaks no HTTP': (socket) => socket.write('SSH-2.0-x\r\n'),
  'switches to another protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'redirects to itself': (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n'),
  'is busy for ever': (socket) => socket.write('HTTP/1.1 503 Busy\r\nRetry-After: 999999999\r\n\r\n'),
  'never finishes TLS': () => {},
  'sends TLS without end': (socket) => endless(socket, Buffer.from('16030300020000', 'hex')),
};

/** Starts one server of each kind on this machine; `urls` by what they do. */
export async function startHostileServers() {
  const closing: (() => void)[] = [];
  const urls = new Map<string, string>();
  for (const [what, act] of Object.entries(CONNECTIONS)) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).once('data', () => act(socket)));
    });
    const port = await listen(server, { host: '127.0.0.1', port: 0 });
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    urls.set(what, `${what.includes('TLS') ? 'https' : 'http'}://127.0.0.1:${port}/`);
  }
  return { urls, close: () => closing.forEach((close) => close()) };
}

/** Writes for as long as the other side reads. */
function endless(socket: Socket, text: string | Buffer, begin = ''): void {
  const part = Buffer.alloc(8192, text);
  socket.write(begin);
  const more = (): void => {
    if (!socket.destroyed) socket.write(part, () => setTimeout(more, 2));
  };
  more();
}
