import type { Passwords } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';

/** Measures how busy the password hashing threads are. */
export function measureHashing(passwords: Pick<Passwords, 'load'>, metrics: Metrics): void {
  const jobs = new Gauge({
    name: 'gatehouse_hash_jobs',
    help: 'Passwords being hashed or compared, and those that wait for a thread',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { running, waiting } = passwords.load();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  metrics.registerMetric(jobs);
}
