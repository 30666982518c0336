import { join } from 'node:path';
import { provide } from '../install/provide.ts';
import { quiet } from '../command.ts';
import { makeHome } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersPostgres } from '../servers/probes.ts';
import { freePorts } from '../stack/ports.ts';
import { createPrivateFolder } from './private-folder.ts';

/** A PgBouncer in transaction mode that a test may disrupt. */
export interface PrivatePgbouncer {
  /** The URL of the same database through PgBouncer. */
  through(databaseUrl: string): string;
  /** Kills it and keeps it stopped until `release`. */
  hold(): Promise<void>;
  release(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'pgbouncer';

/**
 * Starts a PgBouncer in front of a Postgres. `postgresUrl` is the URL of its superuser, `poolSize` the number of
 * connections that PgBouncer opens for each login.
 */
export async function privatePgbouncer(options: {
  postgresUrl: string;
  poolSize: number;
}): Promise<PrivatePgbouncer> {
  const { supervisor, directory, stop } = createPrivateFolder(NAME);
  try {
    const binary = (await provide(quiet, [NAME])).pgbouncer;
    const { postgres: port } = await freePorts();
    const through = (databaseUrl: string): string => {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    };
    const server = pgbouncer({ ...options, binary, directory, port });
    await supervisor.start({ ...server, isReady: () => answersPostgres(through(options.postgresUrl)) });
    return {
      through,
      hold: () => supervisor.hold(NAME),
      release: () => supervisor.release(NAME),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function pgbouncer(options: {
  binary: string;
  directory: string;
  port: number;
  postgresUrl: string;
  poolSize: number;
}): Omit<ManagedProcess, 'isReady'> {
  const { binary, directory, port, poolSize } = options;
  const { hostname, port: behind, username, password } = new URL(options.postgresUrl);
  const home = makeHome(join(directory, NAME), ['postgres', 'nobody']);
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
    `default_pool_size = ${poolSize}`,
    'ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
  ];
  return {
    name: NAME,
    command: binary,
    args: [home.write('pgbouncer.ini', `${lines.join('\n')}\n`)],
    ...home.process,
    stopSignal: 'SIGINT',
  };
}
