import { openTestAccounts } from '../testing/index.ts';
import { deleteOldCodes } from './jobs.ts';
import assert from 'node:assert/strict';
import type { Log } from '@gatehouse/runtime';
import { openPasskeys } from './open-passkeys.ts';

describe('deleteOldCodes', () => {
  for (const role of ['core', 'portal', 'admin'] as const)
    it(`may delete everything that it deletes with the rights of ${role}`, async () => {
      const app = await openTestAccounts({}, undefined, role);
      try {
        await deleteOldCodes(app.service);
      } finally {
        await app.stop();
      }
    });
});

describe('openPasskeys', () => {
  const open = (pagesUrl: string, PASSKEY_RP_ID?: string) => {
    const said: string[] = [];
    const log = { warn: (message: string) => said.push(message) } as unknown as Log; // only warnings are logged
    const domain = PASSKEY_RP_ID === undefined ? {} : { PASSKEY_RP_ID };
    const settings = { ...domain, PASSKEY_ORIGINS: '', TWO_FACTOR_ISSUER: 'Gatehouse' };
    return { passkeys: openPasskeys(settings, { pagesUrl, consoleUrl: undefined }, log), said };
  };

  it('has none where pages are at an IP address, and says so', () => {
    for (const pagesUrl of ['http://192.0.2.1:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      const { passkeys, said } = open(pagesUrl);
      assert.equal(passkeys, undefined);
      assert.match(said.join(), /^passkeys are disabled: .*PASSKEY_RP_ID/);
    }
  });

  it('has them at a name, and at an address with PASSKEY_RP_ID, and says nothing', () => {
    for (const { passkeys, said } of [
      open('https://auth.example.com'),
      open('http://192.0.2.1:8080', 'example.com'),
    ]) {
      assert.ok(passkeys !== undefined);
      assert.deepEqual(said, []);
    }
  });
});
