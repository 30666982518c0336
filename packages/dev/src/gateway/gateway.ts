import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindAddressOf, gatewayValues } from './gateway-settings.ts';
import { ROOT, StackError } from '../command.ts';
import { serverEnvironment, makeFolder, chownTo, userFor } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { instanceName } from '../stack/services.ts';
import { portOf, type Ports } from '../servers/ports.ts';
import { answersHttp } from '../processes/probes.ts';

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
  const { user, home, config } = configureGateway(options);
  return {
    name: 'gateway',
    command: binary,
    // -e: nginx opens its log before it reads its configuration. By default this is a log of the system.
    args: ['-p', home, '-c', config, '-e', 'stderr', '-g', 'daemon off;'],
    env: serverEnvironment(home),
    cwd: home,
    user,
    isReady: () => answersHttp(`http://127.0.0.1:${ports.gateway}/`),
    stopSignal: 'SIGQUIT',
  };
}

/**
 * Writes the configuration, which nginx reads at start and on SIGHUP. Each file is replaced as a whole: nginx may be reading
 * the one before, and half a table of paths is a valid one.
 */
export function configureGateway(options: GatewayOptions) {
  const { directory, settings = {} } = options;
  const user = userFor(['www-data', 'nginx', 'nobody']);
  const home = makeFolder(join(directory, 'gateway'), 0o700, user);
  const config = join(home, 'nginx.conf');
  const values = { ...valuesFor(home, options), ...gatewayValues(settings) };
  const write = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    chownTo(`${file}.new`, user);
    renameSync(`${file}.new`, file);
  };
  write(config, render(source('nginx.conf.template'), values));
  // The configuration includes these files from its own folder.
  for (const table of ['public-paths.conf', 'admin-paths.conf']) write(join(home, table), source(table));
  return { user, home, config };
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
    Array.from({ length: scale }, (_, index) => index + 1)
      .map((instance) => {
        const isOut = without.includes(instanceName(name, instance));
        return `server ${local(portOf(ports, name, instance))} ${isOut ? 'down' : terms};`;
      })
      .join('\n    ');
  return {
    // The template puts the value in quotes.
    GATEWAY_DIRECTORY: home.replaceAll(/["\\]/g, '\\$&'),
    GATEWAY_LISTEN: `${bindAddressOf(settings)}:${ports.gateway}`,
    ADMIN_LISTEN: `${bindAddressOf(settings)}:${ports.adminGateway}`,
    CORE_SERVERS: servers('core'),
    PORTAL_SERVERS: servers('portal'),
    ADMIN_SERVERS: servers('admin'),
  };
}

/** Replaces every `${NAME}`; nginx's own `$name` variables stay. */
export function render(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new StackError(
        `The gateway template needs ${name}`,
        'This is a bug in Gatehouse. Please report it.',
      );
    return value;
  });
}
