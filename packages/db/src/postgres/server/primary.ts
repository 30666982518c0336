import type pg from 'pg';

/** One that does not answer keeps nobody from the next one for longer. */
const NEXT_MS = 300;

/**
 * Opens a connection to the one of these servers that takes writes. They are asked in their order from `first` on, each as
 * soon as the one before has failed or takes long; a standby has failed. What is opened beyond the first is closed. An only
 * server is taken as it is: reads go on where it is a standby.
 *
 * @throws what the last of them said, where none takes writes.
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

/** Postgres' own code for a server that takes no writes (read_only_sql_transaction). */
const READ_ONLY = '25006';

const standbys = new WeakSet<pg.Client>();

/** Remembers whether the server of a connection is a standby, which Postgres 14 and later report. Call it before connecting. */
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
