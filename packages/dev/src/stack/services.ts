import { programArguments } from '@gatehouse/build';
import type { ServiceName } from '@gatehouse/db';
import { ROOT } from '../command.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersHttp } from '../servers/probes.ts';
import type { Servers } from '../servers/servers.ts';
import { hasApi, instanceName, instances, SERVICE_NAMES, SERVICE_PARTS } from './parts.ts';
import { portOf, type Ports } from './ports.ts';
import { environment, secretFiles, withoutForeignSecrets, type Secrets } from './secrets.ts';

export type Connections = Pick<Servers, 'redisUrl' | 'redisNodes' | 'amqpUrl' | 'smtpUrl'> & {
  /** The database URL of each service, with the role that has its privileges. */
  databaseUrls: Record<ServiceName, string>;
};

/** Maps the URL of a server to the one that a process (`core`, `core-2`, …) gets, for example that of a proxy. */
export type Reroute = (url: string, processName: string) => string;

interface Options {
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  ports: Ports;
  connections: Connections;
  /** Settings of this stack that the caller's environment can override. */
  standard: Record<string, string>;
  scale: number;
  reroute?: Reroute | undefined;
}

/** The services in the order of their start, `scale` instances of each. A hook worker runs only where it is asked for. */
export function services(options: Options): ManagedProcess[] {
  const hasWebhooks = options.settings['WEBHOOKS'] === 'on';
  const names = SERVICE_NAMES.filter((name) => name !== 'hook-worker' || hasWebhooks);
  return instances(options.scale).flatMap((instance) =>
    names.map((name) => service(name, instance, options)),
  );
}

function service(name: ServiceName, instance: number, options: Options): ManagedProcess {
  const { settings, secrets, ports, connections, standard, reroute } = options;
  const internalPort = portOf(ports, `${SERVICE_PARTS[name].key}Internal`, instance);
  const processName = instanceName(name, instance);
  const rerouted = (url: string): string => reroute?.(url, processName) ?? url;
  const fixed = {
    HOST: '127.0.0.1',
    ...(hasApi(name) && { PORT: String(portOf(ports, name, instance)) }),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(internalPort),
    DATABASE_URL: rerouted(connections.databaseUrls[name]),
    REDIS_URL: (connections.redisNodes ?? [connections.redisUrl]).map(rerouted).join(','),
    REDIS_CLUSTER: String(connections.redisNodes !== undefined),
    AMQP_URL: rerouted(connections.amqpUrl),
    SMTP_URL: rerouted(connections.smtpUrl),
  };
  return {
    name: processName,
    command: process.execPath,
    args: programArguments(name),
    env: withoutForeignSecrets(
      name,
      environment(settings, { ...LOCAL, ...secretFiles(secrets), ...standard }, fixed),
    ),
    cwd: ROOT,
    isReady: () => answersHttp(`http://127.0.0.1:${internalPort}/health/ready`, 200),
  };
}

/** Settings of every local stack that the caller's environment can override. */
const LOCAL = {
  TRUST_PROXY: '127.0.0.1',
  // Receivers on this machine.
  WEBHOOK_NETWORKS: 'localhost,127.0.0.1,::1',
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  // All clients of a local stack have one address.
  MAILS_PER_ADDRESS: '2000',
};

/** What a stack always sets, regardless of the environment: where processes listen, and the servers it started. */
const FIXED =
  'HOST PORT INTERNAL_HOST INTERNAL_PORT DATABASE_URL REDIS_URL REDIS_CLUSTER AMQP_URL SMTP_URL'.split(' ');

export function ignoredSettings(settings: NodeJS.ProcessEnv): string[] {
  return FIXED.flatMap((name) => [name, `${name}_FILE`])
    .filter((name) => settings[name] !== undefined && settings[name] !== '')
    .map((name) => `! ${name} in the environment is ignored: the local stack sets it`);
}
