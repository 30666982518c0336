import { allEnded } from '../processes/all-ended.ts';
import { provide } from '../install/provide.ts';
import { quiet } from '../output/progress.ts';
import { answersAmqp } from '../processes/probes.ts';
import { freePorts } from '../servers/ports.ts';
import { rabbitmq } from '../servers/rabbitmq.ts';
import { createPrivateFolder } from './private-folder.ts';

/** Three RabbitMQ nodes that a test may disrupt. */
export interface PrivateRabbitmqCluster {
  nodes: readonly string[];
  /** The URLs of all nodes, separated by commas. */
  url: string;
  /** Kills a node and keeps it stopped until `release`. */
  hold(node: string): Promise<void>;
  /** Starts a stopped node. Resolves when it accepts connections. */
  release(node: string): Promise<void>;
  /**
   * Blocks all traffic between a node and the others, like a network partition. Clients can still reach the node.
   * Resolves when it accepts no connections any more.
   */
  split(node: string): Promise<void>;
  /** Ends the partition. Resolves when the node accepts connections again. */
  mend(node: string): Promise<void>;
  /** Runs a command of RabbitMQ on a node, such as `rabbitmq-queues`. */
  tell(node: string, program: string, args: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const NODES = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'];
const PASSWORD = 'for-tests-alone';

export async function privateRabbitmqCluster(): Promise<PrivateRabbitmqCluster> {
  const { supervisor, directory, stop } = createPrivateFolder('rabbitmq');
  try {
    const binary = (await provide(quiet, ['rabbitmq'])).rabbitmq;
    const ports = await Promise.all(NODES.map(() => freePorts()));
    const rabbitmqNames = ports[0]?.rabbitmqNames ?? 0;
    const made = NODES.map((name, index) => {
      const own = { rabbitmq: 0, rabbitmqPeers: 0, ...ports[index], rabbitmqNames };
      const cluster = { name, nodes: NODES };
      return rabbitmq({ binary, directory, ports: own, password: PASSWORD, cluster });
    });
    const [first, ...others] = made;
    // The other nodes join one that already runs. If all started at once, they might form separate clusters.
    if (first !== undefined) await supervisor.start(first.server);
    await allEnded(others.map(({ server }) => supervisor.start(server)));
    const tell = (node: string, program: string, args: readonly string[]): Promise<void> =>
      supervisor.runCompanion(node, program, args);
    const portOf = (node: string): number => Number(new URL(made[NODES.indexOf(node)]?.url ?? '').port);
    return {
      nodes: NODES,
      url: made.map(({ url }) => url).join(','),
      hold: (node) => supervisor.hold(node),
      release: (node) => supervisor.release(node),
      split: async (node) => {
        await tell(node, 'rabbitmqctl', ['eval', CUT_OFF]);
        await until(async () => !(await answersAmqp(portOf(node))));
      },
      mend: async (node) => {
        await tell(node, 'rabbitmqctl', ['eval', LET_IN]);
        await until(() => answersAmqp(portOf(node)));
      },
      tell,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Each side gets a different cookie for the other, so neither accepts connections of the other (Erlang, "Distributed
 * Erlang").
 */
const CUT_OFF = `
  persistent_term:put(gatehouse_cut_off, nodes()),
  [begin erlang:set_cookie(Node, cut_off), erlang:disconnect_node(Node) end || Node <- nodes()].`;
const LET_IN = `
  [erlang:set_cookie(Node, erlang:get_cookie()) || Node <- persistent_term:get(gatehouse_cut_off)].`;

const WAIT_MS = 60_000;

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the node did not notice in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
