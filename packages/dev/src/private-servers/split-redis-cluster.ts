import { allEnded } from '../processes/supervisor.ts';
import { freePorts } from '../stack/ports.ts';
import { quiet } from '../command.ts';
import { provide } from '../install/provide.ts';
import { createPrivateFolder } from './private-folder.ts';
import { makeReplicas } from './redis-replicas.ts';
import { redis, form } from '../servers/redis.ts';
import { openNetwork, type Way } from './split-network.ts';

/** A Redis Cluster on a network that can be split. Works on Linux only, which accepts every address of 127.0.0.0/8. */
export interface SplitRedisCluster {
  /** The URLs of three masters and of a replica of the first. They bypass the network, for observers outside of it. */
  urls: readonly string[];
  /** The URLs for a process on the smaller side, and below those for a process on the larger side. */
  urlsOfMinority: string;
  urlsOfMajority: string;
  /** Puts one node on the smaller side and the others on the larger side. The sides cannot reach each other. */
  split(node: number): void;
  heal(): void;
  stop(): Promise<void>;
}

const PASSWORD = 'for-tests-alone';
const NODES = ['redis', 'redis-2', 'redis-3', 'redis-4'] as const;
/** The addresses at which nodes reach each other, and at which processes of each side reach the nodes. */
const AMONG_NODES = '127.0.0.10';
const OF_MINORITY = '127.0.0.11';
const OF_MAJORITY = '127.0.0.12';

/** Starts a cluster. Each node connects to the others from a separate source address, which identifies it. */
export async function splitRedisCluster(): Promise<SplitRedisCluster> {
  const { supervisor, directory, stop } = createPrivateFolder('redis');
  try {
    const binary = (await provide(quiet)).redis;
    const [some, more] = [await freePorts(), await freePorts()];
    const ports = [
      { port: some.redis, peersPort: some.redisPeers },
      { port: some.redis2, peersPort: some.redis2Peers },
      { port: some.redis3, peersPort: some.redis3Peers },
      { port: more.redis, peersPort: more.redisPeers },
    ];
    const sources = new Map(NODES.map((name, index) => [`127.0.0.${21 + index}`, name]));
    const nodes = [...sources].map(([source, name], index) => {
      const { port, peersPort } = ports[index] ?? { port: 0, peersPort: 0 };
      const lines = [
        `bind-source-addr ${source}`,
        `cluster-announce-ip ${AMONG_NODES}`,
        // Redirected clients stay at the address that they connected to.
        'cluster-preferred-endpoint-type unknown-endpoint',
      ];
      const place = { binary, directory, password: PASSWORD, port };
      return { name, port, peersPort, ...redis(place, { name, peersPort, lines }) };
    });
    const network = await openNetwork(
      nodes.flatMap(({ name, port, peersPort }): Way[] => [
        { host: AMONG_NODES, port, to: { name, port }, from: sources },
        { host: AMONG_NODES, port: peersPort, to: { name, port: peersPort }, from: sources },
        { host: OF_MINORITY, port, to: { name, port }, from: 'minority' },
        { host: OF_MAJORITY, port, to: { name, port }, from: 'majority' },
      ]),
    );
    const stopAll = async (): Promise<void> => {
      network.close();
      await stop();
    };
    try {
      await allEnded(nodes.map(({ server }) => supervisor.start(server)));
      const urls = nodes.map(({ url }) => url);
      const masters = urls.slice(0, 3);
      await form(masters, nodes.slice(0, 3), AMONG_NODES);
      await makeReplicas({ masters, replicas: nodes.slice(3), password: PASSWORD, host: AMONG_NODES });
      const urlsAt = (host: string) => urls.map((url) => url.replace('127.0.0.1', host)).join(',');
      return {
        urls,
        urlsOfMinority: urlsAt(OF_MINORITY),
        urlsOfMajority: urlsAt(OF_MAJORITY),
        split: (node) => network.split(new Set([NODES[node] ?? '', 'minority'])),
        heal: () => network.heal(),
        stop: stopAll,
      };
    } catch (error) {
      network.close();
      throw error;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}
