import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cancelled, quiet, StackError, type Progress } from '../command.ts';
import { DEMO_PROVIDER, demoApp, demoIssuer, demoProvider, demoSignOn, ownSignOn } from '../demo/demos.ts';
import {
  bindAddressOf,
  configureGateway,
  gateway,
  gatewayValues,
  LOOPBACK_ORIGINS,
  type GatewayOptions,
} from '../gateway/gateway.ts';
import type { Binaries } from '../install/programs.ts';
import { provide } from '../install/provide.ts';
import { claim, stopLeftovers } from '../processes/leftovers.ts';
import { allEnded, Supervisor } from '../processes/supervisor.ts';
import { ensureDatabase, temporaryDatabase, type Database } from '../servers/database.ts';
import { dataDirectory } from '../servers/home.ts';
import { answersHttp } from '../servers/probes.ts';
import { launch, startOtherServers, startPostgres, startRedis, type Servers } from '../servers/servers.ts';
import { portsInUse, refuseBlockedPorts, requireFree, type Ports } from './ports.ts';
import { prepare } from './prepare.ts';
import { built } from './programs.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import type { Seeded } from './seed.ts';
import { ignoredSettings, services, type Addresses } from './services.ts';
import { describeStack, writeStackFile, type StackFile } from './stack-file.ts';

export interface StackOptions {
  /** The folder for data, secrets, logs and `stack.json`; a full path. */
  directory: string;
  ports: Ports;
  /** Settings for the services, by name. */
  settings?: NodeJS.ProcessEnv;
  /**
   * Running servers to use instead of private ones. The stack creates a separate database on them, drops it when it
   * stops, and uses Redis database 1. It shares the broker's queues and exchanges with all other users of the broker.
   */
  servers?: Servers;
  /** The number of instances of each service, 1 to `SCALE_MAX`; 1 by default. */
  scale?: number;
  /** A Redis Cluster of three nodes instead of one Redis. The stack starts it itself even if `servers` are given. */
  redisCluster?: boolean;
  /** Maps the URL of a server to the one that a process (`core`, `core-2`, …) gets, for example that of a proxy. */
  reroute?: (url: string, processName: string) => string;
  /** Fills a new database with an invented installation. A database with other accounts is refused. */
  demo?: boolean;
  /** Data is not made durable, and stopping is quick. */
  throwAway?: boolean;
  progress?: Progress;
  /** Cancels the start. */
  signal?: AbortSignal;
}

export interface Stack {
  /** The contents of `stack.json`, with the current process ids. */
  readonly facts: StackFile;
  /** Sends a signal to a process (`core`, `core-2`, `mail-worker`, `postgres`, …). If it dies, it is started again. */
  kill(name: string, signal?: NodeJS.Signals): void;
  /** Kills a process and keeps it stopped until `release`. */
  hold(name: string): Promise<void>;
  /** Starts a stopped process. Resolves when it is ready. */
  release(name: string): Promise<void>;
  /**
   * Restarts an instance of a service (`core`, `core-2`, …) as an operator does: first the gateway stops sending it
   * requests, then it finishes and exits, and starts again, with other arguments if given. Resolves when it is ready.
   */
  restart(name: string, args?: readonly string[]): Promise<void>;
  /** Runs a program from a process's program folder (such as `rabbitmqctl`), in its environment and as its user. */
  runCompanion(name: string, program: string, args: readonly string[]): Promise<void>;
  /** Stops everything in reverse order. */
  stop(): Promise<void>;
}

/**
 * Starts the whole system and resolves when all of it is healthy. If this fails, everything is stopped again.
 *
 * @throws {StackError} saying what the user can do.
 * @throws {Cancelled} if `signal` was aborted meanwhile.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { directory, signal } = options;
  const progress = options.progress ?? quiet;
  const place = dataDirectory(directory);
  const records = join(directory, 'run');
  const file = join(directory, 'stack.json');
  const unclaim = claim(records);
  const undo: (() => unknown)[] = [unclaim];
  let changed = (): void => {};
  const supervisor = new Supervisor({
    records,
    logs: join(directory, 'logs'),
    say: progress.line,
    changed: () => changed(),
  });
  const stop = async (): Promise<void> => {
    await supervisor.stop({ abrupt: options.throwAway ?? false });
    for (const step of undo.splice(0).toReversed()) await step();
  };
  const cancel = (): void => void supervisor.stop();
  signal?.addEventListener('abort', cancel);
  try {
    const leftovers = await stopLeftovers(records);
    const names = leftovers.join(', ');
    if (names !== '')
      progress.line(`! an earlier stack was killed; stopped its remaining processes: ${names}`);
    rmSync(file, { force: true });
    const { facts, gate } = await bringUp({ ...options, progress, place, supervisor, undo });
    undo.push(() => rmSync(file, { force: true }));
    changed = () => writeStackFile(file, facts());
    changed();
    return {
      get facts() {
        return facts();
      },
      kill: (name, how) => supervisor.kill(name, how),
      hold: (name) => supervisor.hold(name),
      release: (name) => supervisor.release(name),
      restart: rollingRestart({ supervisor, gate }),
      runCompanion: (name, program, args) => supervisor.runCompanion(name, program, args),
      stop,
    };
  } catch (error) {
    await stop();
    // After a cancellation, errors such as a migration that lost its server are only consequences.
    throw signal?.aborted === true ? new Cancelled() : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** The state of a start in progress. */
interface Start extends StackOptions {
  progress: Progress;
  /** The folder of the servers' data. */
  place: string;
  supervisor: Supervisor;
  /** What to do on stop after the processes have ended. */
  undo: (() => unknown)[];
}

/** Runs the steps in order. Returns a function that describes the result, and the options of the gateway. */
async function bringUp(options: Start): Promise<{ facts: () => StackFile; gate: GatewayOptions }> {
  const { directory, ports, progress, place, supervisor, scale = 1, redisCluster = false } = options;
  const settings: NodeJS.ProcessEnv = { CORS_ORIGINS: LOOPBACK_ORIGINS, ...options.settings };
  // Before anything is started, because an invalid list of proxies can be reported at once.
  gatewayValues(settings);
  const own = ownSignOn(settings);
  const secrets = openSecrets(join(directory, 'secrets'));
  for (const line of ignoredSettings(settings)) progress.line(line);
  const used = portsInUse({ scale, redisCluster });
  refuseBlockedPorts(ports, used);
  await requireFree(ports, used);
  const binaries = await provide(progress);
  // The servers do not need the build, and RabbitMQ takes as long as it.
  const building = built(progress);
  const baseUrl = `http://127.0.0.1:${ports.gateway}`;
  // By name, because an IP address is not a domain, which browsers require for some features.
  const pagesUrl = `http://localhost:${ports.gateway}`;
  const adminUrl = `http://127.0.0.1:${ports.adminGateway}`;
  const demo = { directory: place, baseUrl, bindAddress: bindAddressOf(settings) };
  const clientSecretFile = secrets.file('demo-provider-client');
  const idp = demoProvider({ ...demo, port: ports.idp, adminUrl, clientSecretFile });
  const app = options.demo === true ? demoApp({ ...demo, port: ports.app }) : undefined;
  const [{ servers, database, seeded }] = await allEnded([
    openServers({ ...options, binaries, secrets, building }),
    building,
    building.then(() => (own === undefined ? launch(options, 'idp', () => idp) : undefined)),
    building.then(() => (app === undefined ? undefined : launch(options, 'app', () => app))),
  ]);
  const addresses: Addresses = {
    baseUrl,
    pagesUrl,
    adminUrl,
    ssoProviders: idp.providers,
    ssoProviderNames: own?.providers.join(',') ?? `${DEMO_PROVIDER}=Demo provider`,
    databaseUrls: database.serviceUrls,
    redisUrl: servers.redisUrl,
    redisNodes: servers.redisNodes,
    amqpUrl: servers.amqpUrl,
    smtpUrl: servers.smtpUrl,
    oauthClients: app?.clients ?? '',
    faceImageOrigins: options.demo === true ? demoIssuer(ports.idp) : '',
  };
  const processes = services({ settings, secrets, ports, addresses, scale, reroute: options.reroute });
  await allEnded(
    processes.map((managed) => progress.step(`start ${managed.name}`, () => supervisor.start(managed))),
  );
  const gate = { binary: binaries.nginx, directory: place, ports, scale, settings };
  await progress.step('start the gateway', async () => {
    await supervisor.start(gateway(gate));
    if (await answersHttp(`${baseUrl}/ping`, 200)) return;
    throw new StackError('The gateway cannot reach Core', `See ${supervisor.logFile('gateway')}.`);
  });
  const standing = {
    ports,
    scale,
    servers,
    pagesUrl: settings['PUBLIC_URL'] ?? pagesUrl,
    databaseUrl: database.url,
    seeded,
    sso: own ?? demoSignOn(baseUrl),
  };
  return { facts: () => describeStack({ ...standing, processes: supervisor.processes() }), gate };
}

/** Starts the servers and prepares the database: all that must exist before the services. */
async function openServers(
  options: Start & { binaries: Binaries; secrets: Secrets; building: Promise<void> },
): Promise<{ servers: Servers; database: Database; seeded: Seeded }> {
  const { servers: given, ports, place, progress, settings = {}, secrets, undo } = options;
  const prepareDatabase = async (database: Database): Promise<{ database: Database; seeded: Seeded }> => {
    await options.building;
    const demo = options.demo === true ? { issuer: demoIssuer(ports.idp) } : undefined;
    const seeded = await prepare({ progress, settings, secrets, databaseUrl: database.url, demo });
    return { database, seeded };
  };
  const own = {
    ...options,
    directory: place,
    passwords: {
      postgres: secrets.value('postgres-superuser', 16),
      redis: secrets.value('redis', 16),
      rabbitmq: secrets.value('rabbitmq', 16),
    },
    throwAway: options.throwAway ?? false,
    bindAddress: bindAddressOf(settings),
  };
  if (given !== undefined) {
    const name = `stack_${randomBytes(6).toString('hex')}`;
    const { drop, ...database } = await temporaryDatabase(given.postgresUrl, name, secrets);
    undo.push(drop);
    const caches =
      options.redisCluster === true
        ? await startRedis(own)
        : { redisUrl: new URL('/1', given.redisUrl).href };
    return { servers: { ...given, ...caches }, ...(await prepareDatabase(database)) };
  }
  // RabbitMQ takes by far the longest to start, and preparing the database does not need it.
  const [{ postgresUrl, ...prepared }, others] = await allEnded([
    startPostgres(own).then(async (url) => ({
      postgresUrl: url,
      ...(await prepareDatabase(await ensureDatabase(url, secrets))),
    })),
    startOtherServers(own),
  ]);
  return { servers: { postgresUrl, ...others }, ...prepared };
}

/**
 * Restarts one instance while the others of its service keep working. The gateway is reconfigured first, because
 * requests on their way to a process that stops listening are lost. A single instance is simply restarted.
 */
function rollingRestart({ supervisor, gate }: { supervisor: Supervisor; gate: GatewayOptions }) {
  const out = new Set<string>();
  const reloadGateway = (): void => {
    if (gate.scale === undefined || gate.scale === 1) return;
    configureGateway({ ...gate, without: [...out] });
    supervisor.kill('gateway', 'SIGHUP');
  };
  return async (name: string, args?: readonly string[]): Promise<void> => {
    out.add(name);
    reloadGateway();
    await supervisor.restart(name, args);
    out.delete(name);
    reloadGateway();
  };
}
