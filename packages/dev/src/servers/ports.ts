import { isBusy, reservePorts } from './reserve-ports.ts';
import { StackError } from '../command.ts';

/**
 * Every port of a stack: its default, and its offset from `PORT_BASE` if that is set. The private servers avoid the
 * default ports of system servers (5432, 6379, 5672, 4369).
 */
const PORTS = {
  gateway: [8080, 80],
  adminGateway: [8090, 90],
  mail: [1080, 1080],
  smtp: [1025, 1025],
  idp: [9090, 9090],
  app: [9091, 9091],
  core: [8081, 81],
  portal: [8082, 82],
  admin: [8083, 83],
  coreInternal: [9081, 9081],
  portalInternal: [9082, 9082],
  adminInternal: [9083, 9083],
  mailWorkerInternal: [9084, 9084],
  hookWorkerInternal: [9085, 9085],
  postgres: [7432, 7432],
  redis: [7379, 7379],
  redis2: [7380, 7380],
  redis3: [7381, 7381],
  redisPeers: [7389, 7389],
  redis2Peers: [7390, 7390],
  redis3Peers: [7391, 7391],
  rabbitmq: [7672, 7672],
  rabbitmqPeers: [7673, 7673],
  rabbitmqNames: [7369, 7369],
} as const;

/** Ports that each instance of a service has separately. */
const OF_INSTANCE = [
  'core',
  'portal',
  'admin',
  'coreInternal',
  'portalInternal',
  'adminInternal',
  'mailWorkerInternal',
  'hookWorkerInternal',
] as const;
/** Additional ports of a Redis Cluster, besides that of a single Redis. */
const OF_REDIS_CLUSTER = ['redis2', 'redis3', 'redisPeers', 'redis2Peers', 'redis3Peers'] as const;
/** The maximum number of instances of each service, and the distance between their ports. */
export const SCALE_MAX = 4;
const INSTANCE_STEP = 100;

type OfInstance = (typeof OF_INSTANCE)[number];
export type PortName = keyof typeof PORTS | `${OfInstance}-${2 | 3 | 4}`;
export type Ports = Record<PortName, number>;

/** By name: the default, and the offset from `PORT_BASE`. */
const PLAN = Object.fromEntries([
  ...Object.entries(PORTS),
  ...OF_INSTANCE.flatMap((name) =>
    furtherInstances(SCALE_MAX).map((instance) => {
      const distance = INSTANCE_STEP * (instance - 1);
      return [nameOf(name, instance), PORTS[name].map((port) => port + distance)];
    }),
  ),
]) as unknown as Record<PortName, readonly [number, number]>; // every name is in one of the two lists
const NAMES = Object.keys(PLAN) as PortName[];
const BASE_MAX = 65_535 - Math.max(...NAMES.map((name) => PLAN[name][1]));
const BASE_MIN = 1024 - Math.min(...NAMES.map((name) => PLAN[name][1]));

/** The port of an instance of a service. Instances count from 1. */
export function portOf(ports: Ports, name: OfInstance, instance: number): number {
  return ports[nameOf(name, instance)];
}

/** The ports that a stack with these options listens on. */
export function portsInUse(options: { scale: number; redisCluster: boolean }): PortName[] {
  const basic = (Object.keys(PORTS) as PortName[]).filter(
    (name) => options.redisCluster || !OF_REDIS_CLUSTER.some((other) => other === name),
  );
  const further = OF_INSTANCE.flatMap((name) =>
    furtherInstances(options.scale).map((instance) => nameOf(name, instance)),
  );
  return [...basic, ...further];
}

function furtherInstances(scale: number): number[] {
  return Array.from({ length: scale - 1 }, (_, index) => index + 2);
}

function nameOf(name: OfInstance, instance: number): PortName {
  return instance === 1 ? name : (`${name}-${instance}` as PortName); // up to SCALE_MAX
}

/**
 * The ports of a stack for the setting `PORT_BASE`; without it the defaults (8080 and so on).
 *
 * @throws {StackError} if it is not a number or its ports are out of range.
 */
export function planPorts(base: string | undefined): Ports {
  if (base === undefined || base === '') return each((name) => PLAN[name][0]);
  const start = Number(base);
  if (!Number.isInteger(start) || start < BASE_MIN || start > BASE_MAX) {
    throw new StackError(
      `PORT_BASE must be ${BASE_MIN} to ${BASE_MAX}, not ${JSON.stringify(base)}`,
      'For example: PORT_BASE=20000 npm start',
    );
  }
  return each((name) => start + PLAN[name][1]);
}

/** Ports for throw-away stacks. No other process that uses this function gets them: see `reservePorts`. */
export async function freePorts(): Promise<Ports> {
  const ports = await reservePorts(NAMES.length);
  return each((name) => ports[NAMES.indexOf(name)] ?? 0);
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
  const listed = blocked.map((name) => `${ports[name]} (${WORDS[name] ?? name})`).join(', ');
  throw new StackError(
    `Browsers and fetch refuse to connect to port ${listed}`,
    'Choose other ports, for example: PORT_BASE=20000 npm start',
  );
}

/** @throws {StackError} naming each port on which something else already listens. */
export async function requireFree(ports: Ports, names: readonly PortName[] = NAMES): Promise<void> {
  const busy: string[] = [];
  for (const name of names)
    if (await isBusy(ports[name])) busy.push(`${ports[name]} (${WORDS[name] ?? name})`);
  if (busy.length === 0) return;
  throw new StackError(
    busy.length === 1
      ? `Another process is listening on port ${busy.join('')}`
      : `Other processes are listening on ports that are needed here:\n    ${busy.join('\n    ')}`,
    `Stop it, or move all ports: PORT_BASE=${ports.gateway < 25_000 ? 30_000 : 20_000} npm start`,
  );
}

const WORDS: Partial<Record<PortName, string>> = {
  gateway: 'the gateway',
  adminGateway: "the gateway's admin address",
  mail: 'the mail inbox',
  smtp: "the mail inbox's SMTP",
  idp: 'the demo identity provider',
  app: 'the demo application',
  coreInternal: "core's health and metrics",
  portalInternal: "portal's health and metrics",
  adminInternal: "admin's health and metrics",
  mailWorkerInternal: "the mail worker's health and metrics",
  hookWorkerInternal: "the hook worker's health and metrics",
  rabbitmqPeers: "RabbitMQ's cluster port",
  rabbitmqNames: "RabbitMQ's name service, epmd",
};

function each(port: (name: PortName) => number): Ports {
  return Object.fromEntries(NAMES.map((name) => [name, port(name)])) as Ports; // every name is in NAMES
}
