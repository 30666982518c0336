import { SERVICES } from '@gatehouse/db';
import { renameSync, writeFileSync } from 'node:fs';
import { DEMO_APP_PROCESS } from '../demo/demo-app.ts';
import { DEMO_PROCESS } from '../demo/demo-provider.ts';
import { portOf, type Ports } from '../servers/ports.ts';
import type { Credentials, Seeded } from './seed.ts';
import type { Servers } from '../servers/servers.ts';
import { instanceName } from './services.ts';
import type { SignOn } from '../demo/sign-on.ts';

/** Facts about a running stack for scripts and tests (`.local/stack.json`). */
export interface StackFile {
  /** Core and Portal through the gateway. */
  baseUrl: string;
  /** Where browsers open the account pages. */
  pagesUrl: string;
  adminUrl: string;
  /** Where browsers open the console. It uses a host name, because passkeys do not work with IP addresses. */
  consoleUrl: string;
  /** The mail inbox; its REST API is at `/email`. */
  mailUrl: string;
  /** The demo identity provider, which signs in anyone. It does not run if other providers are configured. */
  idpUrl?: string;
  /** The demo application, which signs people in through this stack (`--demo`). */
  appUrl?: string;
  /** The services without the gateway. */
  urls: { core: string; portal: string; admin: string };
  databaseUrl: string;
  redisUrl: string;
  /** The URLs of all nodes if Redis is a cluster; `redisUrl` is the first. */
  redisNodes?: string[];
  amqpUrl: string;
  smtpUrl: string;
  /** The provider's name in URLs and parameters; the first if there are several. */
  ssoProvider: string;
  sso: SignOn;
  logs: string[];
  admin: Credentials;
  /** The first user and their live channel. */
  seed: { user: Credentials; contentDefinitionId: string };
  /** Process ids. Servers that the stack did not start have none. For a service, the id of its first instance. */
  pids: Record<string, number>;
  /** All instances of each service, if there are several. The first is that of `urls` and `pids`. */
  instances?: Record<string, Instance[]>;
}

interface Instance {
  /** Undefined for the workers. */
  url?: string;
  /** Health and metrics. */
  internalUrl: string;
  pid: number;
}

/** The names of processes in `pids`, where they differ. */
const PID_NAMES: Record<string, string> = { 'mail-worker': 'mailWorker', 'hook-worker': 'hookWorker' };

/** Builds the description of a running stack. */
export function describeStack(options: {
  ports: Ports;
  scale: number;
  servers: Servers;
  databaseUrl: string;
  pagesUrl: string;
  seeded: Seeded;
  sso: SignOn;
  /** The running processes, each with its process id and log. */
  processes: { name: string; pid: number; log: string }[];
}): StackFile {
  const { ports, scale, servers, pagesUrl, databaseUrl, seeded, sso, processes } = options;
  const pids = Object.fromEntries(
    processes
      .filter(({ name }) => !FURTHER_INSTANCE.test(name))
      .map(({ name, pid }) => [PID_NAMES[name] ?? name, pid]),
  );
  return {
    baseUrl: local(ports.gateway),
    pagesUrl,
    adminUrl: local(ports.adminGateway),
    consoleUrl: `http://localhost:${ports.adminGateway}/console`,
    mailUrl: servers.mailUrl,
    ...(processes.some(({ name }) => name === DEMO_PROCESS) && { idpUrl: local(ports.idp) }),
    ...(processes.some(({ name }) => name === DEMO_APP_PROCESS) && { appUrl: local(ports.app) }),
    urls: { core: local(ports.core), portal: local(ports.portal), admin: local(ports.admin) },
    databaseUrl,
    redisUrl: servers.redisUrl,
    ...(servers.redisNodes && { redisNodes: servers.redisNodes }),
    amqpUrl: servers.amqpUrl,
    smtpUrl: servers.smtpUrl,
    ssoProvider: sso.provider,
    sso,
    logs: processes.map(({ log }) => log),
    admin: seeded.admin,
    seed: { user: seeded.user, contentDefinitionId: seeded.contentDefinitionId },
    pids,
    ...(scale > 1 && { instances: instancesOf(options) }),
  };
}

/** Matches `core-2`, but not `redis-2`, which is a separate server. */
// oxlint-disable-next-line gatehouse/readable-expressions -- words of fixed length
const FURTHER_INSTANCE = new RegExp(`^(${SERVICES.join('|')})-\\d$`);

function instancesOf(options: Pick<Parameters<typeof describeStack>[0], 'ports' | 'scale' | 'processes'>) {
  const { ports, scale, processes } = options;
  return Object.fromEntries(
    SERVICES.filter((service) => processes.some(({ name }) => name === service)).map((service) => {
      const instances = Array.from({ length: scale }, (_, index) => index + 1).map((instance) => {
        const pid = processes.find(({ name }) => name === instanceName(service, instance))?.pid ?? 0;
        const internalUrl = local(portOf(ports, INTERNAL_PORTS[service], instance));
        if (service === 'mail-worker' || service === 'hook-worker') return { internalUrl, pid };
        return { url: local(portOf(ports, service, instance)), internalUrl, pid };
      });
      return [PID_NAMES[service] ?? service, instances];
    }),
  );
}

const INTERNAL_PORTS = {
  core: 'coreInternal',
  portal: 'portalInternal',
  admin: 'adminInternal',
  'mail-worker': 'mailWorkerInternal',
  'hook-worker': 'hookWorkerInternal',
} as const;

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Writes the file, readable only by its owner. It is replaced as a whole, so that readers never see half of it. */
export function writeStackFile(file: string, content: StackFile): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
