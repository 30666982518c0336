import { quickPasswords, throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import type { ServiceName } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { serviceKeys, startService } from '@gatehouse/http/testing';
import { Proxy, testServers } from '@gatehouse/runtime/testing';
import { openSink } from '../../../e2e/src/world/mail-sink.ts';
import { oneCall, type Outcome } from '../../one-call.ts';
import { createTrapper, type ProxiedServer } from './trap.ts';

/** One installation: a database, a mail server for everyone, and one process of each service that is never killed. */
export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  const database = await testDatabase();
  const sink = await openSink();
  const { redisUrl, amqpUrl } = testServers();
  const keys = serviceKeys({ signingKeys: throwAwayKeySet() });
  const settingsOf = (service: ServiceName) => ({
    ...keys[service],
    DATABASE_URL: database.urlAs(service),
    REDIS_URL: redisUrl,
    AMQP_URL: amqpUrl,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    PUBLIC_URL: 'http://127.0.0.1:8080',
    MAIL_FROM: 'Gatehouse <no-reply@localhost>',
    PASSKEY_RP_ID: TEST_PASSKEY_SITE.rpId,
    PASSKEY_ORIGINS: TEST_PASSKEY_SITE.origins.join(),
    TRUST_PROXY: '127.0.0.1',
    BCRYPT_COST: '4',
    HASH_THREADS: '1',
  });
  const start = (service: ServiceName) => atWork(service, settingsOf(service));
  const [core, portal, admin, worker] = await Promise.all([
    start('core'),
    start('portal'),
    start('admin'),
    start('mail-worker'),
  ]);
  /** Hashes passwords in the same way as the services. */
  const passwords = quickPasswords();
  const world = {
    ...{ database, sink, core, portal, admin, worker, passwords },
    /** Without the broker it leaves publishing to other instances, so its death affects no other mails. */
    startVictim: (service: ServiceName, options: { hasBroker: boolean }) =>
      startVictim(service, settingsOf(service), options),
    startWorker: async (): Promise<void> => {
      world.worker = await start('mail-worker');
    },
    stop: async (): Promise<void> => {
      await Promise.all([core, portal, admin, world.worker].map((process) => process.kill()));
      await sink.close();
      await passwords.close();
      await database.drop();
    },
  };
  return world;
}

/** A service that uses its servers, not its fallbacks. */
export type ServiceProcess = Awaited<ReturnType<typeof atWork>>;

function atWork(
  service: ServiceName,
  settings: Parameters<typeof startService>[1],
  { hasBroker } = { hasBroker: true },
) {
  return startService(service, settings, [
    ...(hasBroker ? ['connected to the message broker'] : []),
    ...(service === 'mail-worker' ? [] : ['redis is available']),
  ]);
}

const SERVERS = [
  ['DATABASE_URL', 'postgres'],
  ['REDIS_URL', 'redis'],
  ['AMQP_URL', 'amqp'],
  ['SMTP_URL', 'smtp'],
] as const;

/** A service process that will be killed. It reaches all servers through proxies. */
export type Victim = Awaited<ReturnType<typeof startVictim>>;

async function startVictim(
  service: ServiceName,
  settings: Record<(typeof SERVERS)[number][0], string>,
  { hasBroker }: { hasBroker: boolean },
) {
  const servers: ProxiedServer[] = [];
  // Each stopped try occupies a connection.
  const rerouted = { ...settings, DATABASE_POOL_MAX: '80' };
  for (const [name, protocol] of SERVERS) {
    const { hostname: host, port } = new URL(settings[name]);
    const proxy = await Proxy.open({ host, port: Number(port) }, protocol);
    rerouted[name] = proxy.reroute(settings[name]);
    if (protocol === 'amqp' && !hasBroker) await proxy.refuse();
    servers.push({ protocol, proxy });
  }
  // Before the process connects, because a named statement is parsed only once.
  const trapper = createTrapper(servers);
  const process = await atWork(service, rerouted, { hasBroker });
  return {
    ...process,
    trapper,
    /** Kills it, and closes the proxies. What was held back is not delivered. */
    close: async (): Promise<void> => {
      await process.kill();
      await Promise.all(servers.map(({ proxy }) => proxy.close()));
    },
  };
}

/** Sends a request to a service; `undefined` if the connection broke before the response. */
export async function ask(
  service: { url: string },
  path: string,
  options: Parameters<typeof oneCall>[2] = {},
): Promise<Outcome | undefined> {
  const outcome = await oneCall(path, `${service.url}${path}`, { method: 'POST', body: {}, ...options });
  return outcome.status === 0 ? undefined : outcome;
}
