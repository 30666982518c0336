import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@gatehouse/db';
import { PAGE_PATHS } from '@gatehouse/schema';
import { LOCAL_FOLDER, StackError } from '../command.ts';
import type { SignOn } from '../demo/demos.ts';
import type { Servers } from '../servers/servers.ts';
import { hasApi, instanceName, instances, SERVICE_NAMES, SERVICE_PARTS } from './parts.ts';
import { portOf, type Ports } from './ports.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import type { Seeded } from './seed.ts';

/** Facts about a running stack for scripts and tests (`.local/stack.json`). */
export type StackFile = ReturnType<typeof describeStack>;

export function describeStack(options: {
  ports: Ports;
  scale: number;
  servers: Omit<Servers, 'postgresUrl'>;
  databaseUrl: string;
  pagesUrl: string;
  seeded: Seeded;
  sso: SignOn;
  processes: { name: string; pid: number; log: string }[];
}) {
  const { ports, scale, servers, pagesUrl, databaseUrl, seeded, sso, processes } = options;
  const pidOf = new Map(processes.map(({ name, pid }) => [name, pid]));
  const services = SERVICE_NAMES.filter((name) => pidOf.has(name));
  const instancesOf = (name: ServiceName) =>
    instances(scale).map((instance) => ({
      ...(hasApi(name) && { url: local(portOf(ports, name, instance)) }),
      /** Health and metrics. */
      internalUrl: local(portOf(ports, `${SERVICE_PARTS[name].key}Internal`, instance)),
      pid: pidOf.get(instanceName(name, instance)) ?? 0,
    }));
  const further = instances(scale)
    .slice(1)
    .flatMap((instance) => SERVICE_NAMES.map((name) => instanceName(name, instance)));
  return {
    /** Core and Portal through the gateway. */
    baseUrl: local(ports.gateway),
    pagesUrl,
    adminUrl: local(ports.adminGateway),
    /** Where browsers open the console. It uses a host name, because passkeys do not work with IP addresses. */
    consoleUrl: `http://localhost:${ports.adminGateway}/console`,
    /** The mail inbox; its REST API is at `/email`. */
    mailUrl: servers.mailUrl,
    /** The demo identity provider, which signs in anyone. It does not run if other providers are configured. */
    ...(pidOf.has('idp') && { idpUrl: local(ports.idp) }),
    /** The demo application, which signs people in through this stack (`--demo`). */
    ...(pidOf.has('app') && { appUrl: local(ports.app) }),
    /** The services without the gateway. */
    urls: { core: local(ports.core), portal: local(ports.portal), admin: local(ports.admin) },
    databaseUrl,
    redisUrl: servers.redisUrl,
    ...(servers.redisNodes && { redisNodes: servers.redisNodes }),
    amqpUrl: servers.amqpUrl,
    smtpUrl: servers.smtpUrl,
    /** The provider's name in URLs and parameters; the first if there are several. */
    ssoProvider: sso.provider,
    sso,
    logs: processes.map(({ log }) => log),
    admin: seeded.admin,
    seed: { user: seeded.user, contentDefinitionId: seeded.contentDefinitionId },
    /** Servers that the stack did not start have none. For a service, the id of its first instance. */
    pids: Object.fromEntries(
      processes.filter(({ name }) => !further.includes(name)).map(({ name, pid }) => [keyOf(name), pid]),
    ),
    /** All instances of each service, if there are several. The first is that of `urls` and `pids`. */
    ...(scale > 1 && {
      instances: Object.fromEntries(services.map((name) => [keyOf(name), instancesOf(name)])),
    }),
  };
}

/** The name of a process in `stack.json`. */
function keyOf(name: string): string {
  const service = SERVICE_NAMES.find((one) => one === name);
  return service === undefined ? name : SERVICE_PARTS[service].key;
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The stack of this folder. @throws {StackError} if none runs; `otherwise` says what to do instead. */
export function localStack(
  otherwise: string,
  directory = LOCAL_FOLDER,
): { facts: StackFile; secrets: Secrets } {
  let text: string;
  try {
    text = readFileSync(join(directory, 'stack.json'), 'utf8');
  } catch (cause) {
    throw new StackError('No stack is running from this folder', `Start it with npm start. ${otherwise}`, {
      cause,
    });
  }
  // Only a stack writes this file.
  return { facts: JSON.parse(text) as StackFile, secrets: openSecrets(join(directory, 'secrets')) };
}

/** The text that `npm start` prints when the stack of this folder is ready. */
export function welcome(facts: StackFile, directory: string): string {
  const { baseUrl, pagesUrl, adminUrl, consoleUrl, mailUrl, admin, seed } = facts;
  const groups: Record<string, [label: string, value: string | undefined][]> = {
    Open: [
      ['Account pages', `${pagesUrl}${PAGE_PATHS.login}`],
      ['Console', consoleUrl],
      ['Mail inbox', mailUrl],
      ['Demo application', facts.appUrl],
      ['API reference', `${baseUrl}/docs`],
    ],
    'Sign in as': [
      ['Administrator', `${admin.Email}  ${admin.Password}`],
      ['User', `${seed.user.Email}  ${seed.user.Password}`],
    ],
    'For your code': [
      ['API, issuer of tokens', baseUrl],
      ['Admin API', adminUrl],
      ['Tokens for services', `${consoleUrl}/tokens`],
      ['Demo identity provider', facts.idpUrl],
      ['Live channel (the user’s)', seed.contentDefinitionId],
      ['For scripts', join(directory, 'stack.json')],
    ],
    Servers: [
      ['Postgres', facts.databaseUrl],
      ['Redis', facts.redisNodes?.join(',') ?? facts.redisUrl],
      ['RabbitMQ', facts.amqpUrl],
      ['Logs', join(directory, 'logs')],
    ],
  };
  const table = Object.entries(groups)
    .map(([title, rows]) => {
      const shown = rows.filter(([, value]) => value !== undefined);
      return [title, ...shown.map(([label, value]) => `  ${label.padEnd(25)}  ${value}`)].join('\n');
    })
    .join('\n\n');
  const login = JSON.stringify({ Username: seed.user.Email, Password: seed.user.Password });
  return `
Gatehouse is up.

${table}

Try it:

  curl -s ${baseUrl}/account/login -H 'Content-Type: application/json' -d '${login}'
${signOnLine(facts)}
Ctrl-C stops everything.
`;
}

function signOnLine({ adminUrl, ssoProvider, idpUrl }: StackFile): string {
  if (ssoProvider === '') return '';
  const whom = idpUrl === undefined ? 'by your own provider' : 'with any email address';
  return `\n  ${adminUrl}/auth/${ssoProvider}/login in a browser: single sign-on, ${whom}\n`;
}
