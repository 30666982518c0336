import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { addressRanges, ConfigError, readConfig, setting } from '@gatehouse/runtime';
import { Enum, Type } from '@gatehouse/schema';
import { ROOT, StackError } from '../command.ts';
import { makeHome } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { instanceName, instances } from '../stack/parts.ts';
import { portOf, type Ports } from '../stack/ports.ts';
import { answersHttp } from '../servers/probes.ts';

/** `CORS_ORIGINS` of a local stack: pages of apps in development may call. */
export const LOOPBACK_ORIGINS = 'http://localhost:*,http://127.0.0.1:*';

/** The environment variables of the gateway, also used in its Docker image. */
export const gatewaySettings = Type.Object({
  GATEWAY_TRUSTED_PROXIES: setting(
    '',
    'Addresses or CIDR ranges, with commas, of the proxies in front of the gateway whose X-Forwarded-For is trusted',
  ),
  PUBLIC_DOCS: Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the gateway serves /docs and /openapi.json, at both addresses',
  }),
  GATEWAY_WORKERS: Type.String({
    pattern: /^(auto|[1-9]\d{0,2})$/.source,
    default: 'auto',
    description: 'How many worker processes nginx has; auto: one for each processor of the machine',
  }),
  CONNECTIONS_PER_ADDRESS: Type.String({
    pattern: /^[1-9]\d{0,4}$/.source,
    default: '1000',
    description: 'Concurrent requests of one client address (IPv6: /64); beyond that 429',
  }),
  CORS_ORIGINS: setting('', 'Origins, with commas, whose pages may read the gateway’s own responses'),
});

/** The gateway's settings, by the names in its template. @throws {StackError} naming the invalid setting. */
export function gatewayValues(environment: NodeJS.ProcessEnv): Record<string, string> {
  try {
    const { GATEWAY_TRUSTED_PROXIES: proxies, ...values } = readConfig(gatewaySettings, environment);
    const ranges = addressRanges('GATEWAY_TRUSTED_PROXIES', proxies);
    const lines = ranges.map(({ address, prefix }) => `set_real_ip_from ${address}/${prefix};`);
    return { ...values, GATEWAY_REAL_IP: lines.join(' ') };
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new StackError(cause.message, 'docs/configuration.md describes each setting.', { cause });
  }
}

/** By default only this machine reaches people's ports. `::` is every address, of IPv4 alone where there is no IPv6. */
export function bindAddressOf(settings: NodeJS.ProcessEnv): string {
  const given = settings['BIND_ADDRESS'] ?? '';
  if (given === '::' && !hasIpv6()) return '0.0.0.0';
  return given === '' ? '127.0.0.1' : given;
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
}

/** The lines by which nginx listens. With one socket for both, it would count IPv4 as one network of IPv6. */
export function listenOn(address: string, port: number): string {
  const own = `listen ${isIPv6(address) ? `[${address}]` : address}:${port};`;
  return address === '::' ? `listen 0.0.0.0:${port}; ${own}` : own;
}

export interface GatewayOptions {
  binary: string;
  directory: string;
  ports: Ports;
  scale?: number;
  /** Names of instances that get no requests. */
  without?: readonly string[];
  /** Settings by name (`gatewaySettings`). */
  settings?: NodeJS.ProcessEnv | undefined;
}

/** nginx in front of the services, `scale` instances of each, configured by the same template as in Docker. */
export function gateway(options: GatewayOptions): ManagedProcess {
  const { binary, ports } = options;
  const { home, config } = configureGateway(options);
  return {
    name: 'gateway',
    command: binary,
    // -e: nginx opens its log before it reads its configuration. By default this is a log of the system.
    args: ['-p', home.path, '-c', config, '-e', 'stderr', '-g', 'daemon off;'],
    ...home.process,
    isReady: () => answersHttp(`http://127.0.0.1:${ports.gateway}/`),
    stopSignal: 'SIGQUIT',
  };
}

/** Writes the configuration, which nginx reads at start and on SIGHUP. */
export function configureGateway(options: GatewayOptions) {
  const { directory, settings = {} } = options;
  const home = makeHome(join(directory, 'gateway'), ['www-data', 'nginx', 'nobody']);
  const values = { ...valuesFor(home.path, options), ...gatewayValues(settings) };
  const config = home.write('nginx.conf', render(source('nginx.conf.template'), values));
  // The configuration includes these files from its own folder.
  for (const table of ['public-paths.conf', 'admin-paths.conf']) home.write(table, source(table));
  return { home, config };
}

function source(name: string): string {
  return readFileSync(join(ROOT, 'services/gateway', name), 'utf8');
}

function valuesFor(home: string, options: GatewayOptions): Record<string, string> {
  const { ports, scale = 1, without = [], settings = {} } = options;
  const local = (port: number): string => `127.0.0.1:${port}`;
  // nginx must never give up on a single server. If there are several, it pauses one that fails for a moment.
  const terms = scale === 1 ? 'max_fails=0' : 'max_fails=3 fail_timeout=2s';
  const servers = (name: 'core' | 'portal' | 'admin'): string =>
    instances(scale)
      .map((instance) => {
        const isOut = without.includes(instanceName(name, instance));
        return `server ${local(portOf(ports, name, instance))} ${isOut ? 'down' : terms};`;
      })
      .join('\n    ');
  return {
    // The template puts the value in quotes.
    GATEWAY_DIRECTORY: home.replaceAll(/["\\]/g, '\\$&'),
    GATEWAY_LISTEN: listenOn(bindAddressOf(settings), ports.gateway),
    ADMIN_LISTEN: listenOn(bindAddressOf(settings), ports.adminGateway),
    CORE_SERVERS: servers('core'),
    PORTAL_SERVERS: servers('portal'),
    ADMIN_SERVERS: servers('admin'),
  };
}

/** Replaces every `${NAME}`; nginx's own `$name` variables stay. */
export function render(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template of the gateway needs ${name}`);
    return value;
  });
}
