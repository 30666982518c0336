import type pg from 'pg';

/** If a server has not answered by then, the next one is tried at the same time. */
const NEXT_MS = 300;

/**
 * Opens a connection to the server that accepts writes. The servers are tried in order, starting with `first`; the next
 * one is tried as soon as the previous one fails or takes long. A standby counts as failed. Connections other than the
 * first successful one are closed. A single server is used even if it is a standby, so that reads still work.
 *
 * @throws the last error, if no server accepts writes.
 */
export async function connectToPrimary(
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
  if (!isStandby(connection)) return connection;
  await connection.end().catch(() => {});
  throw Object.assign(new Error('the server is a standby'), { code: READ_ONLY });
}

/** Postgres' error code for a server that accepts no writes (read_only_sql_transaction). */
const READ_ONLY = '25006';

const standbys = new WeakSet<pg.Client>();

/**
 * Remembers whether the server of a connection is a standby, which Postgres 14 and later report. Call it before
 * connecting.
 */
export function watchStandbyStatus(connection: pg.Client): void {
  const { connection: wire } = connection as unknown as { connection: Wire }; // not in the driver's types
  wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName !== 'in_hot_standby') return;
    if (parameterValue === 'on') standbys.add(connection);
    else standbys.delete(connection);
  });
}

function isStandby(connection: pg.Client): boolean {
  return standbys.has(connection);
}

interface Wire {
  on(
    event: 'parameterStatus',
    listener: (parameter: { parameterName: string; parameterValue: string }) => void,
  ): void;
}
