import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cancelled, quiet, StackError, type Progress } from '../command.ts';
import { demos } from '../demo/demos.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { bindAddressOf, configureGateway, gateway, gatewayValues } from '../gateway/gateway.ts';
import { LOOPBACK_ORIGINS, type GatewayOptions } from '../gateway/gateway.ts';
import type { Binaries } from '../install/programs.ts';
import { provide } from '../install/provide.ts';
import { claim, stopLeftovers } from '../processes/leftovers.ts';
import { allEnded, Supervisor, type ManagedProcess } from '../processes/supervisor.ts';
import { ensureDatabase, temporaryDatabase } from '../servers/database.ts';
import { dataDirectory, replaceFile } from '../servers/home.ts';
import { answersHttp } from '../servers/probes.ts';
import { mailbox } from '../servers/mailbox.ts';
import { postgres } from '../servers/postgres.ts';
import { rabbitmq } from '../servers/rabbitmq.ts';
import { launch, startRedis, type Launcher, type Servers } from '../servers/servers.ts';
import { portsInUse, refuseBlockedPorts, requireFree, type Ports } from './ports.ts';
import { built, runTool } from './programs.ts';
import { deriveSecrets, ID_TOKEN_KEYS, openSecrets, SIGNING_KEYS, type Secrets } from './secrets.ts';
import { seed } from './seed.ts';
import { ignoredSettings, services, type Reroute } from './services.ts';
import { describeStack } from './stack-file.ts';

export interface StackOptions {
  /** The folder for data, secrets, logs and `stack.json`; a full path. */
  directory: string;
  ports: Ports;
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
  reroute?: Reroute;
  /** Fills a new database with an invented installation. A database with other accounts is refused. */
  demo?: boolean;
  /** Data is not made durable, and stopping is quick. */
  throwAway?: boolean;
  progress?: Progress;
  signal?: AbortSignal;
}

/** A running system. Its processes are `core`, `core-2`, `mail-worker`, `postgres` and so on. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts the whole system and resolves when all of it is healthy. If this fails, everything is stopped again.
 *
 * @throws {StackError} saying what the user can do.
 * @throws {Cancelled} if `signal` was aborted meanwhile.
 */
export async function startStack(options: StackOptions) {
  const { directory, signal } = options;
  const progress = options.progress ?? quiet;
  const data = dataDirectory(directory);
  const records = join(directory, 'run');
  const file = join(directory, 'stack.json');
  const undo: (() => unknown)[] = [claim(records)];
  const supervisor = new Supervisor(directory, progress.line);
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
    const { facts, gate } = await bringUp({ ...options, progress, data, supervisor, undo });
    undo.push(() => rmSync(file, { force: true }));
    supervisor.onChange = () => void replaceFile(file, `${JSON.stringify(facts(), null, 2)}\n`);
    supervisor.onChange();
    return {
      /** The contents of `stack.json`, with the current process ids. */
      get facts() {
        return facts();
      },
      kill: supervisor.kill.bind(supervisor),
      hold: supervisor.hold.bind(supervisor),
      release: supervisor.release.bind(supervisor),
      restart: rollingRestart({ supervisor, gate }),
      runCompanion: supervisor.runCompanion.bind(supervisor),
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

interface Start extends StackOptions, Launcher {
  progress: Progress;
  /** The folder of the servers' data. */
  data: string;
  /** What to do on stop after the processes have ended. */
  undo: (() => unknown)[];
}

/** Runs the steps in order. Returns a function that describes the result, and the options of the gateway. */
async function bringUp(options: Start) {
  const { directory, ports, progress, data, supervisor, scale = 1, redisCluster = false } = options;
  const hasData = options.demo === true;
  const settings: NodeJS.ProcessEnv = { CORS_ORIGINS: LOOPBACK_ORIGINS, ...options.settings };
  // Before anything is started, because an invalid list of proxies can be reported at once.
  gatewayValues(settings);
  const secrets = openSecrets(join(directory, 'secrets'));
  const baseUrl = `http://127.0.0.1:${ports.gateway}`;
  // By name, because an IP address is not a domain, which browsers require for some features.
  const pagesUrl = `http://localhost:${ports.gateway}`;
  const adminUrl = `http://127.0.0.1:${ports.adminGateway}`;
  const demo = demos({ directory: data, ports, baseUrl, adminUrl, settings, secrets, hasData });
  for (const line of ignoredSettings(settings)) progress.line(line);
  const used = portsInUse({ scale, redisCluster });
  refuseBlockedPorts(ports, used);
  await requireFree(ports, used);
  const binaries = await provide(progress);

  // Each part starts as soon as what it needs is there.
  const building = built(progress);
  const opened = openServers({ ...options, binaries, secrets });
  const starts: Promise<unknown>[] = [building, opened.broker, opened.inbox];
  const databaseReady = allEnded([opened.database, building]).then(async ([database]) => ({
    database,
    seeded: await prepare({
      ...{ progress, settings, secrets, databaseUrl: database.url },
      demoIssuer: hasData ? demo.issuer : undefined,
    }),
  }));
  const { idp, app } = demo;
  if (idp !== undefined) starts.push(building.then(() => launch(options, 'idp', idp)));
  if (app !== undefined) starts.push(building.then(() => launch(options, 'app', app)));
  const running = allEnded([databaseReady, opened.caches]).then(async ([{ database, seeded }, caches]) => {
    const servers = { ...opened.urls, ...caches };
    const standard = { ISSUER: baseUrl, PUBLIC_URL: pagesUrl, ADMIN_URL: adminUrl, ...demo.settings };
    const connections = { ...servers, databaseUrls: database.serviceUrls };
    const given = { settings, secrets, ports, scale, reroute: options.reroute };
    const processes = services({ ...given, connections, standard });
    await startInTurn({ progress, supervisor, broker: opened.broker }, processes);
    return { servers, databaseUrl: database.url, seeded, sso: demo.sso };
  });
  const [standing] = await allEnded([running, ...starts]);

  const gate = { binary: binaries.nginx, directory: data, ports, scale, settings };
  await progress.step('start the gateway', () => startGateway(supervisor, gate));
  const known = { ...standing, ports, scale, pagesUrl: settings['PUBLIC_URL'] ?? pagesUrl };
  return { facts: () => describeStack({ ...known, processes: supervisor.processes() }), gate };
}

/** Creates what the services need before they start: keys, tables and the first accounts. */
async function prepare(options: {
  progress: Progress;
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  databaseUrl: string;
  /** Set if the database should be filled with demo data: the issuer of its single sign-on. */
  demoIssuer: string | undefined;
}) {
  const { progress, settings, secrets, databaseUrl, demoIssuer: issuer } = options;
  const makeKeys = async (command: string, name: string): Promise<void> => {
    const file = secrets.path(name);
    if (existsSync(file)) return;
    const title = name.replace('.json', '').replaceAll('-', ' ');
    await progress.step(`make the ${title}`, () => runTool(['keys', command, file], settings));
  };
  await allEnded([
    makeKeys('create', SIGNING_KEYS),
    makeKeys('create-id-tokens', ID_TOKEN_KEYS),
    progress.step('migrate the database', () =>
      runTool(['migrate'], { PATH: settings['PATH'], DATABASE_URL: databaseUrl }),
    ),
  ]);
  const keys = deriveSecrets(settings, secrets);
  const passwords = { admin: secrets.value('admin-password', 10), user: secrets.value('user-password', 10) };
  const seeded = await progress.step('seed the first accounts', () =>
    seed({ databaseUrl, pepper: keys.pepper, passwords }),
  );
  if (issuer !== undefined) {
    const isFilled = await progress.step('fill the database with demo data', () =>
      seedDemo({ databaseUrl, ...keys, password: passwords.user, issuer }),
    );
    if (!isFilled) progress.line('  the demo data of an earlier start is there already');
  }
  return seeded;
}

/** One at a time until RabbitMQ, which keeps a processor busy for seconds, is there: only workers need it. */
async function startInTurn(
  { progress, supervisor, broker }: Launcher & { broker: Promise<unknown> },
  processes: readonly ManagedProcess[],
): Promise<void> {
  let turn: Promise<unknown> = Promise.resolve();
  const starts = processes.map((managed) => {
    const begin = managed.name.includes('worker') ? broker : Promise.race([turn, broker]);
    const started = begin.then(() => progress.step(`start ${managed.name}`, () => supervisor.start(managed)));
    turn = started;
    return started;
  });
  await allEnded(starts);
}

async function startGateway(supervisor: Supervisor, gate: GatewayOptions): Promise<void> {
  await supervisor.start(gateway(gate));
  if (await answersHttp(`http://127.0.0.1:${gate.ports.gateway}/ping`, 200)) return;
  throw new StackError('The gateway cannot reach Core', `See ${supervisor.logFile('gateway')}.`);
}

/** Starts the servers, or uses those that are given. Some of their URLs are known already; the rest will be there. */
function openServers(options: Start & { binaries: Binaries; secrets: Secrets }) {
  const { servers: given, settings = {}, secrets, undo, redisCluster = false } = options;
  const passwordOf = (server: string): string => secrets.value(server, 16);
  const own = { throwAway: false, ...options, directory: options.data, passwordOf };
  if (given !== undefined) {
    const name = `stack_${randomBytes(6).toString('hex')}`;
    const database = temporaryDatabase(given.postgresUrl, name, secrets).then(({ drop, ...made }) => {
      undo.push(drop);
      return made;
    });
    return {
      urls: given,
      database,
      caches: redisCluster
        ? startRedis(own, true)
        : Promise.resolve({ redisUrl: new URL('/1', given.redisUrl).href }),
      broker: Promise.resolve(),
      inbox: Promise.resolve(),
    };
  }
  const inbox = mailbox({ ...own, bindAddress: bindAddressOf(settings) });
  const broker = rabbitmq(own);
  return {
    urls: { smtpUrl: inbox.smtpUrl, mailUrl: inbox.mailUrl, amqpUrl: broker.url },
    database: launch(own, 'postgres', postgres(own)).then(({ url }) => ensureDatabase(url, secrets)),
    caches: startRedis(own, redisCluster),
    broker: launch(own, 'rabbitmq', broker),
    inbox: launch(own, 'mail', inbox),
  };
}

/**
 * Restarts an instance of a service (`core`, `core-2`, …) as an operator does, while the others keep working: first the
 * gateway stops sending it requests, because those on their way to a process that stops listening are lost. Then it
 * finishes and exits, and starts again, with other arguments if given. A single instance is simply restarted.
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
