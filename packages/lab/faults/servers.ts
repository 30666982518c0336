import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { query } from '@gatehouse/db';
import type { World } from '../../e2e/src/testing/index.ts';
import { withDb } from '../database.ts';

/** Sends commands directly to the private Redis, not through the proxy. */
export function runOnRedis(world: World, ...commands: string[]): Promise<void> {
  const { port, password } = new URL(world.stack.facts.redisUrl);
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(Number(port), '127.0.0.1');
    socket.setTimeout(5000, () => socket.destroy(new Error('redis does not answer')));
    socket.on('data', (bytes) => (reply += bytes.toString()));
    socket.on('error', reject);
    socket.on('close', () => (reply.includes('-ERR') ? reject(new Error(reply)) : resolve()));
    socket.end([`AUTH ${password}`, ...commands, 'QUIT', ''].join('\r\n'));
  });
}

/** Runs statements on the private Postgres as its superuser, not through the proxy. */
export async function runOnPostgres(world: World, ...statements: string[]): Promise<void> {
  const url = new URL(world.stack.facts.databaseUrl);
  url.username = 'postgres';
  url.password = readFileSync(join(world.directory, 'secrets', 'postgres-superuser'), 'utf8').trim();
  await withDb(url.href, async (db) => {
    for (const statement of statements) await query(db, statement);
  });
}

/** Breaks every connection of the services to Postgres, so that changed settings apply to the next ones. */
export const DISCONNECT = `select pg_terminate_backend(pid)
  from pg_stat_activity
  where application_name like 'gatehouse-%'`;
