import { request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Sends one request over TLS. `before` is sent first, unencrypted, like a header of the PROXY protocol. */
export async function requestOverTls(options: {
  port: number;
  /** The source address of the connection. */
  from: string;
  ca: string;
  before: string;
  host: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}): Promise<{ status: number; text: string }> {
  const { port, from, ca, before, host, path, method = 'GET', headers = {}, body } = options;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made: Socket = connectTcp({ port, host: '127.0.0.1', localAddress: from }, () => resolve(made));
    made.once('error', reject);
  });
  socket.write(before);
  return new Promise((resolve, reject) => {
    const createConnection = () => connectTls({ socket, ca, servername: host });
    const sent = request(
      { host, path, method, headers: { ...headers, Host: host }, createConnection },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          socket.destroy();
          resolve({ status: response.statusCode ?? 0, text });
        });
      },
    );
    sent.on('error', reject).end(body);
  });
}
