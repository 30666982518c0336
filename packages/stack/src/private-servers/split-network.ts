import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server for whoever is led to it. */
export interface Way {
  /** Where it is taken. */
  host: string;
  port: number;
  /** Which server, on 127.0.0.1, it leads to, and on which side of the network that is known as. */
  to: { name: string; port: number };
  /** Who takes it: one party, or whoever comes from an address. */
  from: string | ReadonlyMap<string, string>;
}

/** Ways between parties, which can be split into two sides that do not hear each other. */
interface SplitNetwork {
  /** Lets nothing through between these parties and all others; breaks and refuses no connection, as lost packets. */
  split(side: ReadonlySet<string>): void;
  /** Lets everything through again, what was held back first. */
  heal(): void;
  close(): void;
}

interface Pair {
  near: Socket;
  far: Socket;
  from: string;
  to: string;
}

export async function openNetwork(ways: readonly Way[]): Promise<SplitNetwork> {
  const pairs = new Set<Pair>();
  let side: ReadonlySet<string> = new Set();
  const flows = ({ from, to }: Pair): boolean => side.has(from) === side.has(to);
  const carry = ({ near, far }: Pair): void => void near.pipe(far).pipe(near);
  const hold = ({ near, far }: Pair): void => {
    near.unpipe(far);
    far.unpipe(near);
  };
  const change = (next: ReadonlySet<string>): void => {
    for (const pair of pairs) hold(pair);
    side = next;
    for (const pair of pairs) if (flows(pair)) carry(pair);
  };

  const open = async ({ host, port, to, from }: Way): Promise<Server> => {
    const server = createServer((near) => {
      const who = typeof from === 'string' ? from : (from.get(near.remoteAddress ?? '') ?? 'somebody');
      const pair = { near, far: connect(to.port, '127.0.0.1'), from: who, to: to.name };
      pairs.add(pair);
      for (const socket of [pair.near, pair.far]) {
        socket.on('error', () => {});
        socket.on('close', () => {
          pairs.delete(pair);
          pair.near.destroy();
          pair.far.destroy();
        });
      }
      if (flows(pair)) carry(pair);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    return server;
  };
  const servers: Server[] = [];
  for (const way of ways) servers.push(await open(way));
  return {
    split: change,
    heal: () => change(new Set()),
    close: () => {
      for (const server of servers) server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
    },
  };
}
