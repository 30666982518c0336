import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { isConnectionLost } from './faults.ts';
import {
  keepTimeline,
  refuseUnreplicated,
  timelineOf,
  watchReplicationWarnings,
} from './transaction/commit.ts';
import {
  BEGIN,
  commitOf,
  isLate,
  keepBeginning,
  refuseLateStatement,
  tooLate,
} from './transaction/transaction-deadline.ts';
import type { Beginning } from './transaction/transaction-deadline.ts';

/** Knex's dialect for Postgres. Knex exports it only by name; this instance opens no connection. */
// Knex types `client` as any; for 'pg' it is an instance of the class that we need.
const PostgresDialect = (knex({ client: 'pg' }).client as Knex.Client).constructor as typeof Knex.Client;

/** The part that we read of the object that Knex passes from a statement to its result. */
interface Statement {
  response: { command?: string; rows?: unknown[] };
}

/**
 * Knex’s dialect, made safe against a Postgres that stops answering for a while. The driver gives up on a statement but
 * leaves the connection open, and Knex returns it to the pool. When Postgres runs again, a late BEGIN would enclose the
 * statements of the next user, which are never committed. So a connection with a missing answer is closed at once, and
 * the pool gives out none inside a transaction.
 */
export class PostgresClient extends PostgresDialect {
  /** The index of the server that accepted writes when last checked. */
  private lastPrimary = 0;

  /** Knex opens each connection of the pool with this method, which its types do not include. */
  async _acquireOnlyConnection(): Promise<pg.Client> {
    // Knex types both as any: the settings that `connectDb` gave, and the driver.
    const settings = this.connectionSettings as pg.ClientConfig & { servers: readonly string[] };
    const { Client } = this.driver as typeof pg;
    const { connection, index } = await connectToPrimary(
      settings.servers,
      this.lastPrimary,
      async (server) => {
        const client = new Client({ ...settings, connectionString: server });
        ignoreForeignSettings(client, server);
        // This property tells Knex that the pool must not give out the connection any more.
        const dispose = (reason?: unknown): void =>
          void Object.assign(client, { __knex__disposed: reason ?? 'Connection ended unexpectedly' });
        client.on('error', dispose).on('end', dispose);
        watchStandbyStatus(client);
        watchReplicationWarnings(client);
        await client.connect();
        return client;
      },
    );
    this.lastPrimary = index;
    await keepTimeline(connection);
    return connection;
  }

  override async query(connection: pg.Client, statement: string | object): Promise<Statement> {
    try {
      if (statement === 'BEGIN;') return await this.begin(connection);
      if (statement === 'COMMIT;') return await this.commit(connection);
      if (statement !== 'ROLLBACK') refuseLateStatement(this);
      // Knex types the result as any.
      const done = (await super.query(connection, statement)) as Statement;
      refuseUnreplicated(connection);
      return done;
    } catch (error) {
      // This also makes a ROLLBACK fail at once instead of waiting in vain; Postgres rolls back by itself.
      if (isConnectionLost(error)) connection.connection.stream.destroy();
      throw error;
    }
  }

  private async begin(connection: pg.Client): Promise<Statement> {
    const done = (await super.query(connection, BEGIN)) as { response: unknown };
    // Two statements return two results.
    const [begun, asked] = done.response as [Statement['response'], { rows: [Beginning] }];
    keepBeginning(this, { ...asked.rows[0], timeline: timelineOf(connection) });
    return { ...done, response: begun };
  }

  private async commit(connection: pg.Client): Promise<Statement> {
    try {
      const done = (await super.query(connection, commitOf(this))) as { response: unknown };
      // A list if there were two statements, otherwise a single result.
      const committed = [done.response].flat().at(-1) as Statement['response'];
      // After a failed statement, COMMIT rolls back without an error, but with this command tag (PostgreSQL, COMMIT).
      if (committed.command === 'ROLLBACK')
        throw new Error('a statement of the transaction had failed: COMMIT rolled it back');
      refuseUnreplicated(connection);
      return { ...done, response: committed };
    } catch (error) {
      throw isLate(error) ? tooLate() : error;
    }
  }

  /** Whether the pool may give out the connection; if not, the pool closes it and tries another. */
  // Knex types the result as a promise, but accepts both.
  override validateConnection(connection: pg.Client): Promise<boolean> {
    const isOpen = !connection.connection.stream.destroyed;
    return Promise.resolve(isOpen && connection.getTransactionStatus() === 'I');
  }
}

/** The driver also reads variables that other tools' clients have in the environment. Only our address counts. */
function ignoreForeignSettings(client: pg.Client, server: string): void {
  // Its types do not include what it sends at the start of a connection.
  const { connectionParameters } = client as unknown as { connectionParameters: object };
  const options = new URL(server).searchParams.get('options') ?? undefined;
  Object.assign(connectionParameters, { options, replication: undefined });
}

/** If a server has not answered by then, the next one is tried at the same time. */
const NEXT_MS = 300;

/**
 * Opens a connection to the server that accepts writes. They are tried in order from `first`, the next as soon as one
 * fails (a standby does) or takes long; the first success wins. A single server is used even as a standby, for reads.
 *
 * @throws the last error, if no server accepts writes.
 */
async function connectToPrimary(
  servers: readonly string[],
  first: number,
  open: (server: string) => Promise<pg.Client>,
): Promise<{ connection: pg.Client; index: number }> {
  const [only, ...others] = servers;
  if (only !== undefined && others.length === 0) return { connection: await open(only), index: 0 };
  const order = servers.map((_, index) => (first + index) % servers.length);
  return new Promise((resolve, reject) => {
    let isFound = false;
    let left = order.length;
    let next = 0;
    const ask = (): void => {
      const index = order[next];
      if (index === undefined || isFound) return;
      next += 1;
      let hasGoneOn = false;
      const goOn = (): void => {
        clearTimeout(timer);
        if (!hasGoneOn) ask();
        hasGoneOn = true;
      };
      const timer = setTimeout(goOn, NEXT_MS);
      openPrimary(servers[index] ?? '', open).then(
        (connection) => {
          clearTimeout(timer);
          if (isFound) return void connection.end().catch(() => {});
          isFound = true;
          resolve({ connection, index });
        },
        (error: unknown) => {
          left -= 1;
          if (left === 0) reject(error);
          goOn();
        },
      );
    };
    ask();
  });
}

async function openPrimary(server: string, open: (server: string) => Promise<pg.Client>): Promise<pg.Client> {
  const connection = await open(server);
  if (!standbys.has(connection)) return connection;
  await connection.end().catch(() => {});
  throw Object.assign(new Error('the server is a standby'), { code: READ_ONLY });
}

/** Postgres' error code for a server that accepts no writes (read_only_sql_transaction). */
const READ_ONLY = '25006';

const standbys = new WeakSet<pg.Client>();

/** Postgres 14 and later report whether the server is a standby. Call this before connecting. */
function watchStandbyStatus(connection: pg.Client): void {
  const { connection: wire } = connection as unknown as { connection: Wire }; // not in the driver's types
  wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName !== 'in_hot_standby') return;
    if (parameterValue === 'on') standbys.add(connection);
    else standbys.delete(connection);
  });
}

interface Wire {
  on(
    event: 'parameterStatus',
    listener: (parameter: { parameterName: string; parameterValue: string }) => void,
  ): void;
}
