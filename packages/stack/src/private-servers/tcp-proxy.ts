import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port that leads to another one, which can be changed, as a name can be pointed elsewhere. */
export interface TcpProxy {
  readonly port: number;
  targetPort: number;
  /** Carries nothing any more and breaks no connection; new ones are taken. */
  blackHole(): void;
  /** Carries again, what was held back first. */
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
    // A server that listens on a port has an address of this kind.
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
