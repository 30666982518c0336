import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a port of this machine, on one that is free unless one is given. */
export async function serve(answer: RequestListener, wished = 0) {
  const server = createServer(answer);
  await once(server.listen(wished, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // listens on a port
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
