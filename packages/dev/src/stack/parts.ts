import type { ServiceName } from '@gatehouse/db';

/**
 * The parts of a stack. Its ports, processes, messages and `stack.json` follow from these rows. A port has a default
 * and, if it is not what people know the part by, words of its own.
 */
export interface Part {
  /** What messages call it. */
  title: string;
  ports: Record<string, number | readonly [standard: number, words: string]>;
}

/** What runs once. */
export const PARTS = {
  gateway: {
    title: 'the gateway',
    ports: { gateway: 8080, adminGateway: [8090, "the gateway's admin address"] },
  },
  mail: { title: 'the mail inbox', ports: { mail: 1080, smtp: [1025, "the mail inbox's SMTP"] } },
  idp: { title: 'the demo identity provider', ports: { idp: 9090 } },
  app: { title: 'the demo application', ports: { app: 9091 } },
  postgres: { title: 'Postgres', ports: { postgres: 7432 } },
  redis: { title: 'Redis', ports: { redis: 7379 } },
  // The first node of a cluster has the port of the one Redis.
  redisCluster: {
    title: 'a Redis cluster',
    ports: { redis2: 7380, redis3: 7381, redisPeers: 7389, redis2Peers: 7390, redis3Peers: 7391 },
  },
  rabbitmq: {
    title: 'RabbitMQ',
    ports: {
      rabbitmq: 7672,
      rabbitmqPeers: [7673, "RabbitMQ's cluster port"],
      rabbitmqNames: [7369, "RabbitMQ's name service, epmd"],
    },
  },
} as const satisfies Record<string, Part>;

/** The secret settings of every service that answers requests. */
const OF_APIS = ['REDIS_URL', 'PASSWORD_PEPPER', 'MAIL_PUBLIC_KEY'] as const;
/** What the services that open sessions need besides. */
const OF_LOGINS = ['SIGNING_KEYS', 'TOKEN_SECRET', 'TWO_FACTOR_KEY'] as const;

interface Service extends Part {
  /** Its name in `stack.json`, and of its ports: for its API, if it has one, and for health and metrics. */
  key: string;
  /** The secret settings that it uses. It gets no others. */
  secrets: readonly string[];
}

/** What runs `scale` times. */
export const SERVICE_PARTS = {
  core: {
    title: 'core',
    key: 'core',
    ports: { core: 8081, coreInternal: 9081 },
    secrets: [...OF_APIS, ...OF_LOGINS, 'ID_TOKEN_KEYS'],
  },
  portal: {
    title: 'portal',
    key: 'portal',
    ports: { portal: 8082, portalInternal: 9082 },
    secrets: [...OF_APIS, 'VERIFICATION_KEYS', 'PORTAL_SECRET'],
  },
  admin: {
    title: 'admin',
    key: 'admin',
    ports: { admin: 8083, adminInternal: 9083 },
    secrets: [...OF_APIS, ...OF_LOGINS, 'HOOK_PUBLIC_KEY', 'FIRST_ADMIN_PASSWORD', 'SSO_PROVIDERS'],
  },
  'mail-worker': {
    title: 'the mail worker',
    key: 'mailWorker',
    ports: { mailWorkerInternal: 9084 },
    secrets: ['MAIL_KEY', 'SMTP_URL'],
  },
  'hook-worker': {
    title: 'the hook worker',
    key: 'hookWorker',
    ports: { hookWorkerInternal: 9085 },
    secrets: ['HOOK_KEY'],
  },
} as const satisfies Record<ServiceName, Service>;

export const SERVICE_NAMES = Object.keys(SERVICE_PARTS) as ServiceName[]; // Object.keys loses the type of the keys

/** The name of an instance in output, logs and `kill`: `core`, `core-2`, … */
export function instanceName(name: string, instance: number): string {
  return instance === 1 ? name : `${name}-${instance}`;
}

/** 1 to `scale`. */
export function instances(scale: number): number[] {
  return Array.from({ length: scale }, (_, index) => index + 1);
}

/** Whether it answers requests of clients; the others are workers. */
export function hasApi(name: ServiceName): name is 'core' | 'portal' | 'admin' {
  return name in SERVICE_PARTS[name].ports;
}
