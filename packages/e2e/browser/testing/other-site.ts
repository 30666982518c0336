import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of somebody else for the tests of a `describe`, which answers all requests with this page, or as `answer` does. */
export function otherSite(answer: string | RequestListener): { readonly origin: string } {
  let origin = '';
  const server = createServer((request, response) => {
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(200, { 'content-type': 'text/html' }).end(answer);
  });
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on a port
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get origin() {
      return origin;
    },
  };
}
