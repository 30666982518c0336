import { join } from 'node:path';
import { query } from '@gatehouse/db';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { quiet } from '../command.ts';
import { provide } from '../install/provide.ts';
import { withDatabase } from '../servers/database.ts';
import { makeHome, type Home } from '../servers/home.ts';
import { postgres } from '../servers/postgres.ts';
import { answersPostgres } from '../servers/probes.ts';
import { freePorts } from '../stack/ports.ts';
import { PASSWORD, privateServers } from './private-servers.ts';

const SYNCHRONOUS = ['synchronous_commit=on', 'synchronous_standby_names=*'];

export type PrivatePostgresPair = Awaited<ReturnType<typeof privatePostgresPair>>;

/** A Postgres (`postgres`) and its synchronous standby (`postgres-2`) that a test may disrupt. */
export function privatePostgresPair() {
  return privateServers('postgres', async ({ supervisor, directory, atEnd }) => {
    const binaries = (await provide(quiet, ['postgres'])).postgres;
    const [{ postgres: port }, { postgres: standbyPort }] = [await freePorts(), await freePorts()];
    const common = { binaries, directory, password: PASSWORD, throwAway: true };
    const main = await postgres({ ...common, port, settings: SYNCHRONOUS });
    const proxyTo = async (url: string): Promise<Proxy> => {
      const proxy = await Proxy.to(url);
      atEnd.push(() => proxy.close());
      return proxy;
    };
    const [clients, replication] = [await proxyTo(main.url), await proxyTo(main.url)];
    await supervisor.start(main.server);
    const standby = await postgres({
      ...common,
      port: standbyPort,
      settings: ['synchronous_commit=on'],
      standby: { name: 'postgres-2', of: replication.url },
    });
    await supervisor.start(standby.server);
    await isInSync(main.url);
    return {
      /** The superuser's URL of the primary, also after a failover, like a DNS name that an operator switches. */
      url: clients.url,
      /** The URL of the same database, with both servers as hosts. */
      withBoth: (databaseUrl: string) =>
        databaseUrl.replace(new URL(clients.url).host, `127.0.0.1:${port},127.0.0.1:${standbyPort}`),
      /** Starts a stopped server and waits until the standby is in sync. */
      release: async (server: string) => {
        await supervisor.release(server);
        await isInSync(main.url);
      },
      /** Blocks all traffic between the two until `mend`, like a network partition. */
      split: () => replication.blackHole(),
      /** Ends the partition and waits until the standby is in sync. */
      mend: async () => {
        await replication.heal();
        await isInSync(main.url);
      },
      /** Promotes the standby to primary. The former primary must not be started again. */
      promote: async () => {
        await ask(standby.url, 'select pg_promote(true, 20)');
        clients.targetPort = standbyPort;
      },
    };
  });
}

async function isInSync(url: string): Promise<void> {
  const standbys = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await eventually(async () => (await ask(url, standbys)).length > 0);
}

function ask(url: string, sql: string): Promise<unknown[]> {
  return withDatabase(url, (db) => query(db, sql));
}

export type PrivatePgbouncer = Awaited<ReturnType<typeof privatePgbouncer>>;
const NAME = 'pgbouncer';

/** A PgBouncer in transaction mode, with `poolSize` connections for each login, that a test may disrupt. */
export function privatePgbouncer(options: { postgresUrl: string; poolSize: number }) {
  return privateServers(NAME, async ({ supervisor, directory }) => {
    const command = (await provide(quiet, [NAME])).pgbouncer;
    const { postgres: port } = await freePorts();
    /** The URL of the same database through PgBouncer. */
    const through = (databaseUrl: string): string =>
      Object.assign(new URL(databaseUrl), { port: String(port) }).href;
    const home = makeHome(join(directory, NAME), ['postgres', 'nobody']);
    await supervisor.start({
      name: NAME,
      command,
      args: [configure(home, port, options)],
      ...home.process,
      isReady: () => answersPostgres(through(options.postgresUrl)),
      stopSignal: 'SIGINT',
    });
    return { through, hold: () => supervisor.hold(NAME), release: () => supervisor.release(NAME) };
  });
}

/** Writes the configuration of PgBouncer, and returns its path. */
function configure(home: Home, port: number, options: { postgresUrl: string; poolSize: number }): string {
  const { hostname, port: behind, username, password } = new URL(options.postgresUrl);
  const logins = home.write('userlist.txt', `"${username}" "${decodeURIComponent(password)}"\n`);
  const lines = [
    '[databases]',
    // PgBouncer looks up all other logins in Postgres as this user. It then logs in with the proof that the client
    // gave.
    `* = host=${hostname} port=${behind} auth_user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${logins}`,
    'pool_mode = transaction',
    'max_client_conn = 1000',
    `default_pool_size = ${options.poolSize}`,
    'ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
  ];
  return home.write('pgbouncer.ini', `${lines.join('\n')}\n`);
}
