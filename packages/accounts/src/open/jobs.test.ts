import { openTestAccounts } from '../testing/index.ts';
import { deleteOldCodes } from './jobs.ts';

describe('deleteOldCodes', () => {
  for (const role of ['core', 'portal', 'admin'] as const) {
    it(`may delete everything that it deletes with the rights of ${role}`, async () => {
      const app = await openTestAccounts({}, undefined, role);
      try {
        await deleteOldCodes(app.service);
      } finally {
        await app.stop();
      }
    });
  }
});
