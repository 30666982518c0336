import { createServer } from 'node:http';
import { announce } from './announce.mjs';

// What a server of Node's own costs without a framework: the measure that differs least from one Node to the next.
const server = createServer((message, response) => {
  if (message.method === 'GET') return answer(response, 'text/plain', 'Pong Auth');
  const chunks = [];
  message.on('data', (chunk) => chunks.push(chunk));
  message.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    answer(response, 'application/json', JSON.stringify({ PingStatus: 1 }));
  });
});

function answer(response, type, text) {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

server.listen(0, '127.0.0.1', () => announce(server));
