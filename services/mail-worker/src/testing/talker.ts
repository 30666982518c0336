import { createServer, type Socket } from 'node:net';
import { listen } from '@gatehouse/runtime';

/** A command of the client: `greeting` when it connects, `.` with the content of a mail. */
export interface Heard {
  command: string;
  line: string;
  content: string;
  socket: Socket;
}

/** What a mail server answers: as usual without one. It may answer late, or never. */
export type Talk = (heard: Heard) => string | undefined | Promise<string | undefined>;

/** A mail server that says what the test wants, byte for byte, to each command. */
export async function startTalker(talk: Talk, port = 0) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    self.count += 1;
    let [rest, content]: [string, string | undefined] = ['', undefined];
    const take = async (line: string): Promise<void> => {
      if (content !== undefined && line !== '.') return void (content += `${line}\r\n`);
      const command = content === undefined ? line.slice(0, 4).toUpperCase() : '.';
      const heard = { command, line, content: content ?? '', socket };
      content = undefined;
      if (command === 'DATA') content = '';
      const answer = await talk(heard);
      if (answer !== undefined && command === 'DATA') content = undefined;
      if (socket.destroyed) return;
      socket.write(`${answer ?? (command === 'DATA' ? '354 go on' : '250 ok')}\r\n`);
      if (answer?.startsWith('421') === true) socket.end();
    };
    const greet = async (): Promise<void> => {
      const answer = await talk({ command: 'greeting', line: '', content: '', socket });
      socket.write(`${answer ?? '220 hello'}\r\n`);
      if (answer?.startsWith('421') === true) socket.end();
    };
    socket.on('data', (part) => {
      const lines = (rest + part.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void take(line);
    });
    void greet();
  });
  const self = {
    /** The number of connections so far, and those that are open. */
    ...{ count: 0, sockets },
    port: 0,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  self.port = await listen(server, { host: '127.0.0.1', port });
  return self;
}
