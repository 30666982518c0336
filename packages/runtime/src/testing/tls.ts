import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** The message by which a Postgres client asks for TLS before anything else (SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A proxy with this certificate before the server at `url`; `asksFirst`: clients ask for TLS as Postgres's do. */
export async function openTlsProxy(
  url: string,
  certificate: { cert: string; key: string },
  options: { asksFirst?: boolean } = {},
) {
  const target = new URL(url);
  const secureContext = createSecureContext(certificate);
  const sockets = new Set<Socket>();
  const heard: Buffer[] = [];
  const join = (client: Socket): void => {
    const server = connect(Number(target.port), target.hostname);
    client.on('data', (data: Buffer) => heard.push(data));
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    sockets.add(server);
  };
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    void greet(socket).catch(() => socket.destroy());
  });
  const greet = async (socket: Socket): Promise<void> => {
    if (options.asksFirst === true) {
      const [asked] = (await once(socket, 'data')) as [Buffer];
      if (!asked.equals(SSL_REQUEST)) {
        heard.push(asked);
        socket.destroy();
        return;
      }
      socket.write('S');
    }
    join(new TLSSocket(socket, { isServer: true, secureContext }));
  };
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    /** What clients have sent after the handshake; empty until a client trusts the certificate. */
    heard: () => Buffer.concat(heard).toString('latin1'),
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
