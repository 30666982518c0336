import { openTestAccounts } from '../testing/index.ts';
import { deleteOldCodes } from './open-accounts.ts';
import assert from 'node:assert/strict';
import { endings, testLog } from '@gatehouse/runtime/testing';
import { openPasskeys } from './service-keys.ts';

describe('deleteOldCodes', () => {
  const atEnd = endings();
  for (const role of ['core', 'portal', 'admin'] as const)
    it(`may delete everything that it deletes with the rights of ${role}`, async () => {
      const app = await openTestAccounts({}, undefined, role);
      atEnd(() => app.stop());
      await deleteOldCodes(app.service);
    });
});

describe('openPasskeys', () => {
  const open = (pagesUrl: string) => {
    const log = testLog();
    const settings = { PASSKEY_ORIGINS: '', TWO_FACTOR_ISSUER: 'Gatehouse' };
    const passkeys = openPasskeys(settings, { pagesUrl, consoleUrl: undefined }, log);
    log.flush();
    return [passkeys !== undefined, log.lines.map(({ message }) => message).join()] as const;
  };

  it('has none where pages are at an IP address, and says so', () => {
    const [isOpen, said] = open('http://192.0.2.1:8080');
    assert.equal(isOpen, false);
    assert.match(said, /^passkeys are disabled: .*PASSKEY_RP_ID/);
  });

  it('has them at a name, and says nothing', () =>
    assert.deepEqual(open('https://auth.example.com'), [true, '']));
});
