import { eventually } from '@gatehouse/runtime/testing';
import { allEnded } from '../processes/supervisor.ts';
import { answersAmqp } from '../servers/probes.ts';
import { nodeName, rabbitmq } from '../servers/rabbitmq.ts';
import { freePorts } from '../stack/ports.ts';
import { privateServers } from './private-servers.ts';

const NODES = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'];

export type PrivateRabbitmqCluster = Awaited<ReturnType<typeof privateRabbitmqCluster>>;

/** Three RabbitMQ nodes that a test may disrupt. */
export function privateRabbitmqCluster() {
  return privateServers('rabbitmq', async ({ supervisor, place }) => {
    const { rabbitmqNames } = place.ports;
    const lines = [
      'cluster_formation.peer_discovery_backend = classic_config',
      ...NODES.map((name, index) => {
        return `cluster_formation.classic_config.nodes.${index + 1} = ${nodeName(place.directory, name)}`;
      }),
      'cluster_partition_handling = pause_minority',
    ];
    const made = await Promise.all(
      NODES.map(async (name) => {
        const ports = { ...(await freePorts()), rabbitmqNames };
        return rabbitmq({ ...place, ports }, { name, lines });
      }),
    );
    const [first, ...others] = made;
    // The other nodes join one that already runs. If all started at once, they might form separate clusters.
    if (first !== undefined) await supervisor.start(first.server);
    await allEnded(others.map(({ server }) => supervisor.start(server)));
    /** Runs a command of RabbitMQ on a node, such as `rabbitmq-queues`. */
    const tell = (node: string, program: string, args: readonly string[]): Promise<void> =>
      supervisor.runCompanion(node, program, args);
    const portOf = (node: string): number => Number(new URL(made[NODES.indexOf(node)]?.url ?? '').port);
    const answer = async (nodes: readonly string[]): Promise<boolean> => {
      const answers = await Promise.all(nodes.map((node) => answersAmqp(portOf(node))));
      return answers.every(Boolean);
    };
    /** Ends the partition. Resolves when all nodes accept connections again. */
    const mend = async (node: string): Promise<void> => {
      await tell(node, 'rabbitmqctl', ['eval', LET_IN]);
      await eventually(() => answer(NODES), WAIT_SECONDS);
    };
    return {
      nodes: NODES,
      /** The URLs of all nodes, separated by commas. */
      url: made.map(({ url }) => url).join(','),
      /**
       * Blocks all traffic between a node and the others, like a network partition. Clients can still reach the node.
       * Resolves when it accepts no connections any more, and the others do.
       */
      split: async (node: string): Promise<void> => {
        const majority = NODES.filter((one) => one !== node);
        for (let tries = 1; tries <= SPLITS_MAX; tries += 1) {
          await tell(node, 'rabbitmqctl', ['eval', CUT_OFF]);
          await eventually(async () => !(await answersAmqp(portOf(node))), WAIT_SECONDS);
          if (await staysTrue(() => answer(majority))) return;
          await mend(node);
        }
        throw new Error(`${majority.join(' and ')} did not stay together`);
      },
      mend,
      tell,
    };
  });
}

/**
 * Each side gets a different cookie for the other, so neither accepts connections of the other (Erlang, "Distributed
 * Erlang"). The connections end at almost the same time: if one of the others noticed and told the third while that could
 * still reach the node, it would pause too, until the cluster is whole (RabbitMQ, "Partial Partitions").
 */
const CUT_OFF = `
  Others = nodes(),
  persistent_term:put(gatehouse_cut_off, Others),
  [erlang:set_cookie(Node, cut_off) || Node <- Others],
  process_flag(priority, max),
  [erlang:disconnect_node(Node) || Node <- Others].`;
const LET_IN = `
  [erlang:set_cookie(Node, erlang:get_cookie()) || Node <- persistent_term:get(gatehouse_cut_off)].`;

/** How often a node is cut off until the others stay together. */
const SPLITS_MAX = 5;
const WAIT_SECONDS = 60;
/** Within this time the others decide whether one of them pauses. */
const DECIDED_MS = 1000;

async function staysTrue(condition: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + DECIDED_MS;
  for (;;) {
    if (!(await condition())) return false;
    if (Date.now() > end) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
