import type pg from 'pg';
import { Unavailable } from '@gatehouse/runtime';

/**
 * If a commit that waits for a synchronous standby is cancelled, Postgres still reports success, with a warning that
 * the standby may not have the commit: it would be lost with the server. The text of the warning depends on the locale,
 * but the name of the routine does not (syncrep.c).
 */
const UNREPLICATED = 'SyncRepWaitForLSN';

/** Connections that received this warning. */
const warned = new WeakSet<pg.Client>();

/** Watches a new connection for this warning. */
export function watchReplicationWarnings(connection: pg.Client): void {
  connection.on('notice', ({ routine }) => {
    if (routine === UNREPLICATED) warned.add(connection);
  });
}

/** @throws {Unavailable} if no standby has confirmed what the connection has just committed. */
export function refuseUnreplicated(connection: pg.Client): void {
  if (!warned.delete(connection)) return;
  throw new Unavailable('postgres', { cause: new Error('no standby has confirmed it') });
}
