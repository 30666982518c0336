import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { listen } from '../process/listen.ts';

/** A web server of a test's own, on this machine, on a free port unless one is given; with a certificate, over TLS. */
export async function serve(
  answer: RequestListener,
  { port: wished = 0, ...tls }: { port?: number; cert?: string; key?: string } = {},
) {
  const server = tls.cert === undefined ? createServer(answer) : createSecureServer(tls, answer);
  const port = await listen(server, { host: '127.0.0.1', port: wished });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
