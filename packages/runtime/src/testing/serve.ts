import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { listen } from '../process/listen.ts';

/** A web server of a test's own, on this machine; with a certificate, over TLS. */
export async function serve(answer: RequestListener, certificate?: { cert: string; key: string }) {
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
