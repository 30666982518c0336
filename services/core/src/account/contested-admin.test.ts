import assert from 'node:assert/strict';
import { changeAccount, createAccount } from '@gatehouse/accounts';
import { mailCodeAsAdministrator } from '@gatehouse/accounts/testing';
import { LoginStatus } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';

const OWN = 'the password of the owner';
const STRANGE = 'the password of the stranger';
const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
const BY = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;

/** An attacker registers an address before its owner (docs/attacks.md); their password must never work. */
describe('registrations for the account of an administrator, or a pending account', () => {
  const { core, someone } = cast();

  /** An administrator without a password yet, whose email a stranger has registered. */
  const pendingAdministrator = async (isMigrated: boolean) => {
    const ann = someone();
    const given = { email: ann.email, password: undefined, displayName: 'Ann', locale: undefined } as const;
    await createAccount(core().app, { ...given, role: 'Admin', isMigrated }, BY);
    await ann.registers(STRANGE, WORDS).expect(200);
    return ann;
  };

  it('do not complete an account that has become an administrator', async () => {
    const ann = someone();
    await ann.registers(STRANGE).expect(200);
    const [older] = await ann.codes();
    await changeAccount(core().app, await ann.id(), { role: 'Admin' }, BY);
    await ann.registers(OWN).expect(200);
    assert.equal((await ann.mailTypes()).at(-1), 'account.registration-repeated');
    await ann.verifies(older).expect(400);
    await ann.post('/account/forgot-password', { Email: ann.email }).expect(200);
    assert.equal((await ann.codes()).length, 1);
    await changeAccount(core().app, await ann.id(), { role: 'User' }, BY);
    await ann.verifies(older).expect(400);
  });

  for (const isMigrated of [false, true]) {
    it(`do not complete a pending administrator account (${isMigrated ? 6 : 5})`, async () => {
      const ann = await pendingAdministrator(isMigrated);
      assert.deepEqual(await ann.mailTypes(), ['account.registration-repeated']);
      const status = isMigrated
        ? LoginStatus.IsPendingAccountMigrationSignup
        : LoginStatus.IsPendingNewAccountSignup;
      assert.equal((await ann.logsIn(STRANGE).expect(403)).body.LoginStatus, status);
    });
  }

  for (const isMigrated of [false, true]) {
    it(`leave an administrator’s account without a password (${isMigrated ? 6 : 5}) to a code that an administrator has mailed`, async () => {
      const ann = await pendingAdministrator(isMigrated);
      await ann.post('/account/forgot-password', { Email: ann.email }).expect(200);
      assert.deepEqual(await ann.codes(), []);
      await mailCodeAsAdministrator(core().app, await ann.id(), 'reset');
      const [code] = await ann.codes();
      await ann.verifies(code).expect(400);
      await ann.resets(code, OWN).expect(200);
      await ann.logsIn(OWN).expect(200);
      assert.deepEqual(await ann.row('role, display_name'), { role: 'Admin', display_name: 'Ann' });
    });
  }
});
