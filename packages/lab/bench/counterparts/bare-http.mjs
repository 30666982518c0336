import { createServer } from 'node:http';
import { announce } from './announce.mjs';

// The cost of Node's own server without a framework. It varies least between Node versions.
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

await announce(server);
