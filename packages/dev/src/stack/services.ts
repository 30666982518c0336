import { programArguments } from '@gatehouse/build';
import type { ServiceName } from '@gatehouse/db';
import { environment } from './environment.ts';
import { ROOT } from '../command.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { portOf, type Ports } from '../servers/ports.ts';
import { answersHttp } from '../processes/probes.ts';
import type { Secrets } from './secrets.ts';
import { secretFiles, withoutForeignSecrets } from './service-secrets.ts';

/** The URLs that the services need to find each other and the servers. */
export interface Addresses {
  baseUrl: string;
  /** The URL of the same gateway for browsers. */
  pagesUrl: string;
  /** The database URL of each service, with the role that has its privileges. */
  databaseUrls: Record<ServiceName, string>;
  redisUrl: string;
  /** The nodes if Redis is a cluster. */
  redisNodes?: string[] | undefined;
  amqpUrl: string;
  smtpUrl: string;
  adminUrl: string;
  /** The identity providers, in the format of Admin's setting. */
  ssoProviders: string;
  /** The same providers, in the format of the setting for the pages. */
  ssoProviderNames: string;
  /** The declared applications, in the format of Admin's setting; empty if there are none. */
  oauthClients: string;
  /** The origins from which the console shows images of faces. */
  faceImageOrigins: string;
}

/** Maps the URL of a server to the URL that this process gets. */
type Reroute = (url: string, processName: string) => string;

/** The services in the order of their start, `scale` instances of each. */
export function services(options: {
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  ports: Ports;
  addresses: Addresses;
  scale: number;
  reroute?: Reroute | undefined;
}): ManagedProcess[] {
  const { ports, scale } = options;
  return Array.from({ length: scale }, (_, index) => index + 1).flatMap((instance) => {
    const port = (name: Parameters<typeof portOf>[1]): number => portOf(ports, name, instance);
    const each = { ...options, instance };
    return [
      service('core', { ...each, port: port('core'), internalPort: port('coreInternal') }),
      service('portal', { ...each, port: port('portal'), internalPort: port('portalInternal') }),
      service('admin', { ...each, port: port('admin'), internalPort: port('adminInternal') }),
      service('mail-worker', { ...each, internalPort: port('mailWorkerInternal') }),
      ...(hasWebhooks(options.settings)
        ? [service('hook-worker', { ...each, internalPort: port('hookWorkerInternal') })]
        : []),
    ];
  });
}

/** Whether a hook worker runs: only where it is asked for. */
function hasWebhooks(settings: NodeJS.ProcessEnv): boolean {
  return settings['WEBHOOKS'] === 'on';
}

/** The name of an instance in output, logs and `kill`: `core`, `core-2`, … */
export function instanceName(name: ServiceName, instance: number): string {
  return instance === 1 ? name : `${name}-${instance}`;
}

function service(
  name: ServiceName,
  options: {
    settings: NodeJS.ProcessEnv;
    secrets: Secrets;
    addresses: Addresses;
    instance: number;
    reroute?: Reroute | undefined;
    port?: number;
    internalPort: number;
  },
): ManagedProcess {
  const { settings, secrets, addresses, instance, reroute, port, internalPort } = options;
  const processName = instanceName(name, instance);
  const rerouted = (url: string): string => reroute?.(url, processName) ?? url;
  const fixed = {
    HOST: '127.0.0.1',
    ...(port === undefined ? {} : { PORT: String(port) }),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(internalPort),
    DATABASE_URL: rerouted(addresses.databaseUrls[name]),
    REDIS_URL: (addresses.redisNodes ?? [addresses.redisUrl]).map(rerouted).join(','),
    REDIS_CLUSTER: String(addresses.redisNodes !== undefined),
    AMQP_URL: rerouted(addresses.amqpUrl),
    SMTP_URL: rerouted(addresses.smtpUrl),
  };
  return {
    name: processName,
    command: process.execPath,
    args: programArguments(name),
    env: withoutForeignSecrets(name, environment(settings, defaults(addresses, secrets), fixed)),
    cwd: ROOT,
    isReady: () => answersHttp(`http://127.0.0.1:${internalPort}/health/ready`, 200),
  };
}

/** Settings of a local stack that the caller's environment can override. */
function defaults(
  { baseUrl, pagesUrl, adminUrl, ssoProviders, ssoProviderNames, oauthClients, faceImageOrigins }: Addresses,
  secrets: Secrets,
): Record<string, string> {
  return {
    ISSUER: baseUrl,
    PUBLIC_URL: pagesUrl,
    ADMIN_URL: adminUrl,
    SSO_PROVIDERS: ssoProviders,
    SSO_PROVIDER_NAMES: ssoProviderNames,
    OAUTH_CLIENTS: oauthClients,
    FACE_IMAGE_ORIGINS: faceImageOrigins,
    TRUST_PROXY: '127.0.0.1',
    // Receivers on this machine.
    WEBHOOK_NETWORKS: 'localhost,127.0.0.1,::1',
    MAIL_FROM: 'Gatehouse <no-reply@localhost>',
    // All clients of a local stack have one address.
    MAILS_PER_ADDRESS: '2000',
    ...secretFiles(secrets),
  };
}
