import type { ServiceSettings } from '../settings/service-settings.ts';

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
