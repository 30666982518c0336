import { createServer } from 'node:net';
import { announce } from './announce.mjs';

// Accepts every mail and keeps none, so that it costs little beside the worker: it counts, and notes when the last came.
const state = { count: 0, lastAt: 0 };
const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  let isContent = false;
  socket.setEncoding('latin1').on('error', () => {});
  socket.write('220 bench ESMTP\r\n');
  socket.on('data', (text) => {
    rest += text;
    for (;;) {
      const mark = isContent ? '\r\n.\r\n' : '\r\n';
      const end = rest.indexOf(mark);
      if (end === -1) return;
      const verb = rest.slice(0, 4).toUpperCase();
      rest = rest.slice(end + mark.length);
      if (isContent) {
        state.count += 1;
        state.lastAt = Date.now();
      }
      isContent = !isContent && verb === 'DATA';
      socket.write(isContent ? '354 go on\r\n' : '250 ok\r\n');
    }
  });
});
server.listen(0, '127.0.0.1', () => announce(server, {}, state));
