import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port that forwards to another port. The target can be changed, like a DNS name. */
export interface TcpProxy {
  readonly port: number;
  targetPort: number;
  /** Forwards nothing any more without closing connections; new connections are accepted. */
  blackHole(): void;
  /** Forwards again, beginning with what was held back. */
  heal(): void;
  close(): void;
}

export async function openTcpProxy(): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let isHeld = false;
  const carry = ({ near, far }: { near: Socket; far: Socket }): void => void near.pipe(far).pipe(near);
  const server = createServer((near) => {
    const pair = { near, far: connect(proxy.targetPort, '127.0.0.1') };
    pairs.add(pair);
    for (const socket of [pair.near, pair.far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        pair.near.destroy();
        pair.far.destroy();
      });
    }
    if (!isHeld) carry(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    // The address of a server that listens on a port is always of this type.
    port: (server.address() as AddressInfo).port,
    targetPort: 0,
    blackHole: () => {
      isHeld = true;
      for (const { near, far } of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    heal: () => {
      isHeld = false;
      for (const pair of pairs) carry(pair);
    },
    close: () => {
      server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
    },
  };
  return proxy;
}
