import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../process/listen.ts';

/** A proxy that connects every tunnel to the same port of this machine, and notes what it was asked for. */
export async function startProxy({ port, answer = 200 }: { port: number; answer?: number | 'none' }) {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const open = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on('connection', (socket: Socket) => open.add(socket.on('close', () => open.delete(socket))));
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    socket.on('error', () => socket.destroy());
    // A client that ends has nothing more to say, nor to hear.
    socket.on('end', () => socket.destroy()).resume();
    if (answer === 'none') return;
    if (answer !== 200) return void socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(there).pipe(socket);
    });
    there.on('error', () => undefined).on('close', () => socket.end(() => socket.destroy()));
    socket.on('close', () => there.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0 })}`,
    asked,
    credentials,
    open: () => open.size,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
