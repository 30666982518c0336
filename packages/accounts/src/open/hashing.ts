import type { Passwords } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';
import type { ServiceSettings } from '../settings/key-settings.ts';

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

/** How a service hashes passwords, for `createPasswords`. */
export function passwordOptions(settings: ServiceSettings) {
  return {
    pepper: settings.PASSWORD_PEPPER,
    algorithm: settings.PASSWORD_HASH,
    cost: settings.BCRYPT_COST,
    memoryKib: settings.ARGON2_MEMORY_KIB,
    passes: settings.ARGON2_PASSES,
    threads: settings.HASH_THREADS,
    minLength: settings.PASSWORD_MIN_LENGTH,
  };
}
