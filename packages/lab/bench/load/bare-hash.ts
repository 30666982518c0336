import { createPasswords } from '@gatehouse/auth-core';
import { createLog } from '@gatehouse/runtime';

/** Compares passwords without the rest of a login, on as many threads as there are cores. */
export function openBareHash(cost: number) {
  const log = createLog({ service: 'bench', level: 'error' });
  const passwords = createPasswords({
    pepper: 'any',
    algorithm: 'bcrypt',
    cost,
    threads: 0,
    minLength: 8,
    log,
  });
  return {
    /** Comparisons per second, with `width` in parallel. */
    async rate(seconds: number, width: number): Promise<number> {
      const began = performance.now();
      let done = 0;
      const next = async (): Promise<void> => {
        while (performance.now() - began < seconds * 1000) {
          await passwords.verifyNothing('correct horse battery');
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: width }, next));
      return (done * 1000) / (performance.now() - began);
    },

    close: (): Promise<void> => passwords.close(),
  };
}
