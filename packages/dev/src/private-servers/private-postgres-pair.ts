import { connectDb, query } from '@gatehouse/db';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { provide } from '../install/provide.ts';
import { quiet } from '../command.ts';
import { freePorts } from '../stack/ports.ts';
import { postgres } from '../servers/postgres.ts';
import { createPrivateFolder } from './private-folder.ts';

/** A Postgres and its synchronous standby that a test may disrupt. */
export interface PrivatePostgresPair {
  /**
   * The superuser's URL of the primary. After a failover it leads to the new primary, like a DNS name that an operator
   * switches.
   */
  url: string;
  /** The URL of the same database, with both servers as hosts. */
  withBoth(databaseUrl: string): string;
  /** Kills one of the servers and keeps it stopped until `release`. */
  hold(server: 'postgres' | 'postgres-2'): Promise<void>;
  /** Starts a stopped server and waits until the standby is in sync. */
  release(server: 'postgres' | 'postgres-2'): Promise<void>;
  /** Promotes the standby to primary. The former primary must not be started again. */
  promote(): Promise<void>;
  /** Blocks all traffic between the two until `mend`, like a network partition. */
  split(): void;
  /** Ends the partition and waits until the standby is in sync. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'for-tests-alone';
const SYNCHRONOUS = ['synchronous_commit=on', 'synchronous_standby_names=*'];

export async function privatePostgresPair(): Promise<PrivatePostgresPair> {
  const { supervisor, directory, stop } = createPrivateFolder('postgres');
  const proxies: Proxy[] = [];
  const stopAll = async (): Promise<void> => {
    for (const proxy of proxies) await proxy.close();
    await stop();
  };
  try {
    const binaries = (await provide(quiet, ['postgres'])).postgres;
    const [{ postgres: port }, { postgres: standbyPort }] = [await freePorts(), await freePorts()];
    const common = { binaries, directory, password: PASSWORD, throwAway: true };
    const main = await postgres({ ...common, port, settings: SYNCHRONOUS });
    const [clients, replication] = [await Proxy.to(main.url), await Proxy.to(main.url)];
    proxies.push(clients, replication);
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
      url: clients.url,
      withBoth: (databaseUrl) =>
        databaseUrl.replace(new URL(clients.url).host, `127.0.0.1:${port},127.0.0.1:${standbyPort}`),
      hold: (server) => supervisor.hold(server),
      release: async (server) => {
        await supervisor.release(server);
        await isInSync(main.url);
      },
      split: () => replication.blackHole(),
      mend: async () => {
        await replication.heal();
        await isInSync(main.url);
      },
      promote: async () => {
        await ask(standby.url, 'select pg_promote(true, 20)');
        clients.targetPort = standbyPort;
      },
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function isInSync(url: string): Promise<void> {
  const standbys = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await eventually(async () => (await ask(url, standbys)).length > 0);
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const db = connectDb({ url, applicationName: 'pair', poolMax: 1, hasLongTimeouts: true });
  try {
    return await query(db, sql);
  } finally {
    await db.destroy();
  }
}
