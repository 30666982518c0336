import { Gauge, type Metrics } from '@gatehouse/runtime';
import type { Db } from './connect.ts';

/** The numbers that knex reports about its pool. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Measures how much of the pool is in use, and how many requests wait for a connection. */
export function measurePool(db: Db, metrics: Metrics): void {
  const { pool } = db.client as { pool: Pool }; // knex types its client as any
  const connections = new Gauge({
    name: 'gatehouse_db_connections',
    help: 'Connections to Postgres in use and idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'used' }, pool.numUsed());
      this.set({ state: 'idle' }, pool.numFree());
      this.set({ state: 'waiting' }, pool.numPendingAcquires());
    },
  });
  metrics.registerMetric(connections);
}
