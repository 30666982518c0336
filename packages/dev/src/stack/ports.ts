import { connect, createServer } from 'node:net';
import { StackError } from '../command.ts';
import { instanceName, instances, PARTS, SERVICE_PARTS, type Part } from './parts.ts';

/** The maximum number of instances of each service, and the distance between their ports. */
export const SCALE_MAX = 4;
const INSTANCE_STEP = 100;

type PortsOf<Row> = Row extends { ports: infer Defaults } ? keyof Defaults & string : never;
type OfInstance = PortsOf<(typeof SERVICE_PARTS)[keyof typeof SERVICE_PARTS]>;
export type PortName =
  PortsOf<(typeof PARTS)[keyof typeof PARTS]> | OfInstance | `${OfInstance}-${2 | 3 | 4}`;
export type Ports = Record<PortName, number>;

interface Planned {
  name: PortName;
  standard: number;
  words: string;
}

const PLAN = [...portsOf(PARTS), ...ofInstances(SCALE_MAX)];
const NAMES = PLAN.map(({ name }) => name);
const BASE_MAX = 65_535 - Math.max(...PLAN.map(offset));
const BASE_MIN = 1024 - Math.min(...PLAN.map(offset));

function ofInstances(scale: number): Planned[] {
  return instances(scale).flatMap((instance) => portsOf(SERVICE_PARTS, instance));
}

function portsOf(parts: Record<string, Part>, instance = 1): Planned[] {
  return Object.values(parts).flatMap(({ title, ports }) =>
    Object.entries(ports).map(([name, port]) => {
      const [standard, words] = typeof port === 'number' ? [port, instanceName(title, instance)] : port;
      return {
        name: instanceName(name, instance) as PortName, // a key of `ports`, up to SCALE_MAX
        standard: standard + INSTANCE_STEP * (instance - 1),
        words: name.endsWith('Internal') ? `${words}'s health and metrics` : words,
      };
    }),
  );
}

/** The distance from `PORT_BASE`, which stands for 8000 and, for all other ports, for 0. */
function offset({ standard }: Planned): number {
  return standard >= 8000 && standard < 9000 ? standard - 8000 : standard;
}

/** Instances count from 1. */
export function portOf(ports: Ports, name: OfInstance, instance: number): number {
  return ports[instanceName(name, instance) as PortName]; // up to SCALE_MAX
}

export function portsInUse(options: { scale: number; redisCluster: boolean }): PortName[] {
  const { scale, redisCluster } = options;
  const once = portsOf(PARTS).filter(({ name }) => redisCluster || !(name in PARTS.redisCluster.ports));
  return [...once, ...ofInstances(scale)].map(({ name }) => name);
}

/** Of `PORT_BASE`, or the defaults (8080 and so on). @throws {StackError} for no number, and ports out of range. */
export function planPorts(base: string | undefined): Ports {
  if (base === undefined || base === '') return each(({ standard }) => standard);
  const start = Number(base);
  if (!Number.isInteger(start) || start < BASE_MIN || start > BASE_MAX) {
    throw new StackError(
      `PORT_BASE must be ${BASE_MIN} to ${BASE_MAX}, not ${JSON.stringify(base)}`,
      'For example: PORT_BASE=20000 npm start',
    );
  }
  return each((port) => start + offset(port));
}

/** Ports for throw-away stacks. No other process that uses this function gets them: see `reservePorts`. */
export async function freePorts(): Promise<Ports> {
  const ports = await reservePorts(PLAN.length);
  return each((_, index) => ports[index] ?? 0);
}

/** Ports above 1023 that browsers and `fetch` refuse to connect to (Fetch standard, "port blocking"). */
const BLOCKED = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);
const NOT_HTTP = /^(smtp|postgres|redis|rabbitmq)/;

/** @throws {StackError} naming each of these ports that browsers refuse to connect to. */
export function refuseBlockedPorts(ports: Ports, names: readonly PortName[] = NAMES): void {
  const blocked = names.filter((name) => !NOT_HTTP.test(name) && BLOCKED.has(ports[name]));
  if (blocked.length === 0) return;
  const listed = blocked.map((name) => said(ports, name)).join(', ');
  throw new StackError(
    `Browsers and fetch refuse to connect to port ${listed}`,
    'Choose other ports, for example: PORT_BASE=20000 npm start',
  );
}

/** @throws {StackError} naming each port on which something else already listens. */
export async function requireFree(ports: Ports, names: readonly PortName[] = NAMES): Promise<void> {
  const busy: string[] = [];
  for (const name of names) if (await isBusy(ports[name])) busy.push(said(ports, name));
  if (busy.length === 0) return;
  throw new StackError(
    busy.length === 1
      ? `Another process is listening on port ${busy.join('')}`
      : `Other processes are listening on ports that are needed here:\n    ${busy.join('\n    ')}`,
    `Stop it, or move all ports: PORT_BASE=${ports.gateway < 25_000 ? 30_000 : 20_000} npm start`,
  );
}

function said(ports: Ports, name: PortName): string {
  return `${ports[name]} (${PLAN.find((port) => port.name === name)?.words ?? name})`;
}

function each(port: (planned: Planned, index: number) => number): Ports {
  return Object.fromEntries(PLAN.map((one, index) => [one.name, port(one, index)])) as Ports; // all names
}

/** Below the range from which the system assigns ports. The blocks contain no port that browsers refuse. */
const FIRST = 10_240;
const BLOCKS = 280;
/** The first port of each block is its guard. */
const BLOCK_SIZE = 64;

/**
 * Up to 63 ports that nothing listens on, reserved while this process runs. They form one block, on whose first port
 * the process listens. So processes that call this at the same time get different blocks, and a restarted server finds
 * its port still free.
 *
 * @throws {StackError} if every block is taken.
 */
export async function reservePorts(count: number): Promise<number[]> {
  const start = Math.floor(Math.random() * BLOCKS);
  for (let step = 0; step < BLOCKS; step++) {
    const guard = FIRST + ((start + step) % BLOCKS) * BLOCK_SIZE;
    const release = await listen(guard);
    if (release === undefined) continue;
    const ports = Array.from({ length: count }, (_, index) => guard + 1 + index);
    const busy = await Promise.all(ports.map(isBusy));
    if (!busy.includes(true)) return ports;
    release();
  }
  throw new StackError(
    `Every block of ports from ${FIRST} to ${FIRST + BLOCKS * BLOCK_SIZE - 1} is taken`,
    'Stop processes that earlier test runs left behind and try again.',
  );
}

/** Checks twice: on macOS a second listener can bind 127.0.0.1 although another listens on all addresses. */
export async function isBusy(port: number): Promise<boolean> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 500 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(true));
  });
  if (answers) return true;
  const release = await listen(port);
  release?.();
  return release === undefined;
}

/** Listens without keeping the process alive. Undefined if another process listens on the port. */
function listen(port: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(() => void server.close()));
    server.unref();
  });
}
