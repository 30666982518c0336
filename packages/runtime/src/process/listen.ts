import type { AddressInfo, Server } from 'node:net';

/**
 * Starts listening and returns the port; port 0 selects a free one. `::` is every address, also those of IPv4; where
 * the system has no IPv6, it is every address of IPv4, which Node does only if it gets no address at all.
 */
export async function listen(server: Server, at: { host: string; port: number }): Promise<number> {
  const host = at.host === '::' ? undefined : at.host;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: at.port, host }, resolve);
  });
  // The address of a server that listens on a port has this type.
  return (server.address() as AddressInfo).port;
}
