import type pg from 'pg';
import { Unavailable } from '@gatehouse/runtime';

/**
 * Postgres answers a commit that waited for a synchronous standby until somebody cancelled it as if all were well, and warns
 * that the standby may not have it: it would be lost with the server. The words of the warning depend on a locale, the
 * name of the routine does not (syncrep.c).
 */
const UNREPLICATED = 'SyncRepWaitForLSN';

/** Connections that were warned. */
const warned = new WeakSet<pg.Client>();

/** Notes such warnings on a new connection. */
export function watchReplicationWarnings(connection: pg.Client): void {
  connection.on('notice', ({ routine }) => {
    if (routine === UNREPLICATED) warned.add(connection);
  });
}

/** @throws {Unavailable} where no standby has confirmed what the connection has just committed. */
export function refuseUnreplicated(connection: pg.Client): void {
  if (!warned.delete(connection)) return;
  throw new Unavailable('postgres', { cause: new Error('no standby has confirmed it') });
}
