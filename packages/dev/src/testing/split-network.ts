import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP route to a server. */
export interface Way {
  /** The address that clients connect to. */
  host: string;
  port: number;
  /** The server on 127.0.0.1 that the route leads to, and its name as a party of the network. */
  to: { name: string; port: number };
  /** The party that uses this route, or the parties by source address. */
  from: string | ReadonlyMap<string, string>;
}

interface Pair {
  near: Socket;
  far: Socket;
  from: string;
  to: string;
}

/** Routes between parties. The network can be split into two sides that cannot reach each other. */
export async function openNetwork(ways: readonly Way[]) {
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
    /** Blocks all traffic between these parties and all others, as packet loss does: nothing is closed or refused. */
    split: change,
    /** Lets all traffic through again, beginning with what was held back. */
    heal: () => change(new Set()),
    close: () => {
      for (const server of servers) server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
    },
  };
}
