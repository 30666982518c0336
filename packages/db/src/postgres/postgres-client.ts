import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { isConnectionLost } from './faults.ts';
import { connectToPrimary, watchStandbyStatus } from './server/primary.ts';
import { keepTimeline, timelineOf } from './transaction/timeline.ts';
import {
  BEGIN,
  commitOf,
  isLate,
  keepBeginning,
  refuseLateStatement,
  tooLate,
  type Beginning,
} from './transaction/transaction-deadline.ts';
import { watchReplicationWarnings, refuseUnreplicated } from './transaction/unreplicated.ts';

/** Knex's dialect for Postgres, which it exports by name alone: without a connection this opens nothing. */
// Knex types `client` as any; for 'pg' it is an instance of the class that is wanted here.
const PostgresDialect = (knex({ client: 'pg' }).client as Knex.Client).constructor as typeof Knex.Client;

/** The part that is read here of what Knex passes from a statement to its result. */
interface Statement {
  response: { command?: string; rows?: unknown[] };
}

/**
 * Knex’s dialect, made safe against a Postgres that stops answering for a while.
 *
 * The driver gives up a statement after its time-out and leaves the connection open, and Knex returns that connection
 * to the pool. Postgres still executes what was sent once it runs again: a late BEGIN then encloses the statements of
 * the next user, and nobody ever commits them. Therefore a connection that owes an answer is closed at once, and the
 * pool hands out none that is inside a transaction.
 */
export class PostgresClient extends PostgresDialect {
  /** Which of the servers took writes when one was last asked. */
  private lastPrimary = 0;

  /** Knex opens each connection of the pool by it; its types do not tell of it. */
  async _acquireOnlyConnection(): Promise<pg.Client> {
    // Knex types both as any: what `connectDb` gave, and the driver.
    const settings = this.connectionSettings as pg.ClientConfig & { servers: readonly string[] };
    const { Client } = this.driver as typeof pg;
    const { connection, index } = await connectToPrimary(
      settings.servers,
      this.lastPrimary,
      async (server) => {
        const client = new Client({ ...settings, connectionString: server });
        // By this Knex knows that the pool must not hand it out any more.
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

  /** Runs one statement, BEGIN, COMMIT and ROLLBACK included, inside and outside of transactions. */
  override async query(connection: pg.Client, statement: string | object): Promise<Statement> {
    try {
      if (statement === 'BEGIN;') return await this.begin(connection);
      if (statement === 'COMMIT;') return await this.commit(connection);
      if (statement !== 'ROLLBACK') refuseLateStatement(this);
      // Knex types it as any.
      const done = (await super.query(connection, statement)) as Statement;
      refuseUnreplicated(connection);
      return done;
    } catch (error) {
      // This also fails a ROLLBACK at once, which would wait in vain; Postgres rolls back by itself.
      if (isConnectionLost(error)) connection.connection.stream.destroy();
      throw error;
    }
  }

  private async begin(connection: pg.Client): Promise<Statement> {
    const done = (await super.query(connection, BEGIN)) as { response: unknown };
    // Of two statements there are two results.
    const [begun, asked] = done.response as [Statement['response'], { rows: [Beginning] }];
    keepBeginning(this, { ...asked.rows[0], timeline: timelineOf(connection) });
    return { ...done, response: begun };
  }

  private async commit(connection: pg.Client): Promise<Statement> {
    try {
      const done = (await super.query(connection, commitOf(this))) as { response: unknown };
      // Of two statements, a list; of one, its result.
      const committed = [done.response].flat().at(-1) as Statement['response'];
      refuseLostCommit(committed);
      refuseUnreplicated(connection);
      return { ...done, response: committed };
    } catch (error) {
      throw isLate(error) ? tooLate() : error;
    }
  }

  /** Whether the pool may hand out the connection; if not, it closes it and looks for another. */
  // Knex types it as a promise, and awaits either.
  override validateConnection(connection: pg.Client): Promise<boolean> {
    const isOpen = !connection.connection.stream.destroyed;
    return Promise.resolve(isOpen && connection.getTransactionStatus() === 'I');
  }
}

/**
 * COMMIT after a failed statement rolls back without an error; the command tag "ROLLBACK" is the only sign
 * (PostgreSQL, COMMIT).
 */
function refuseLostCommit({ command }: Statement['response']): void {
  if (command !== 'ROLLBACK') return;
  throw new Error('a statement of the transaction had failed: COMMIT rolled it back');
}
