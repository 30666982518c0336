import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '@gatehouse/db';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { quiet } from '../command.ts';
import { provide } from '../install/provide.ts';
import { withDatabase } from '../servers/database.ts';
import { makeHome, type Home } from '../servers/home.ts';
import { postgres, POSTGRES_USERS } from '../servers/postgres.ts';
import { answersPostgres } from '../servers/probes.ts';
import { freePorts } from '../stack/ports.ts';
import { privateServers } from './private-servers.ts';

const STANDBY = 'postgres-2';
const SYNCHRONOUS = ['synchronous_commit=on', 'synchronous_standby_names=*'];

export type PrivatePostgresPair = Awaited<ReturnType<typeof privatePostgresPair>>;

/** A Postgres (`postgres`) and its synchronous standby (`postgres-2`) that a test may disrupt. */
export function privatePostgresPair() {
  return privateServers('postgres', async ({ supervisor, place, atEnd }) => {
    const ofStandby = { ...place, ports: await freePorts() };
    const [port, standbyPort] = [place.ports.postgres, ofStandby.ports.postgres];
    const main = await postgres(place, { settings: SYNCHRONOUS });
    const proxyTo = async (url: string): Promise<Proxy> => {
      const proxy = await Proxy.to(url);
      atEnd.push(() => proxy.close());
      return proxy;
    };
    const [clients, replication] = [await proxyTo(main.url), await proxyTo(main.url)];
    await supervisor.start(main.server);
    await copyTo(
      makeHome(join(place.directory, STANDBY), POSTGRES_USERS),
      place.binaries.postgres,
      replication.url,
    );
    const standby = await postgres(ofStandby, { name: STANDBY, settings: ['synchronous_commit=on'] });
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

/** Copies the data of the server with this URL, as those of its standby. */
async function copyTo(
  { path, process: { env, cwd, user } }: Home,
  programs: string,
  url: string,
): Promise<void> {
  const args = [
    '-d',
    url,
    '-D',
    join(path, 'data'),
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ];
  await promisify(execFile)(join(programs, 'pg_basebackup'), args, { env, cwd, ...user });
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
  return privateServers(NAME, async ({ supervisor, place: { directory, ports } }) => {
    const command = (await provide(quiet, [NAME])).pgbouncer;
    const port = ports.postgres;
    /** The URL of the same database through PgBouncer. */
    const through = (databaseUrl: string): string =>
      Object.assign(new URL(databaseUrl), { port: String(port) }).href;
    const home = makeHome(join(directory, NAME), POSTGRES_USERS);
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
