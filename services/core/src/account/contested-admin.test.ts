import assert from 'node:assert/strict';
import { changeAccount, createAccount } from '@gatehouse/accounts';
import { codeIn, mailCodeAsAdministrator, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { LoginStatus } from '@gatehouse/schema';
import { someAddress, startCore, type TestCore } from '../testing/index.ts';

const OWN = 'the password of the owner';
const STRANGE = 'the password of the stranger';

/** An attacker registers an address before its owner (docs/attacks.md); their password must never work. */
describe('registrations for the account of an administrator, or a pending account', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const origin = { traceId: '0', dueAt: Infinity };
  const by = { actor: { kind: 'System' }, origin } as const;
  const register = (email: string, password: string, more: object = {}) =>
    core.post('/account/register', { Email: email, Password: password, ...more }).expect(200);
  // Each from a different address, so that failures do not count as brute force.
  const from = () => ({ 'x-forwarded-for': someAddress() });
  const verify = (email: string, code: string) =>
    core.post('/account/verify', { Email: email, Code: code }, from());
  const tryPassword = (email: string, password: string) =>
    core.post('/account/login', { Username: email, Password: password }, from());
  const codesTo = async (email: string): Promise<string[]> =>
    (await core.app.mailsTo(email)).filter(({ content }) => 'Code' in content).map((mail) => codeIn([mail]));
  const idOf = async (email: string): Promise<string> => {
    const [row] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [email]);
    return row?.id ?? assert.fail('there is no such account');
  };

  const words = { DisplayName: 'Call +1 555 0100', Locale: 'de' };

  it('do not complete an account that has become an administrator', async () => {
    const email = someEmail();
    await register(email, STRANGE);
    const [older = ''] = await codesTo(email);
    await changeAccount(core.app, await idOf(email), { role: 'Admin' }, by);
    await register(email, OWN);
    assert.equal((await core.app.mailsTo(email)).at(-1)?.type, 'account.registration-repeated');
    await verify(email, older).expect(400);
    await core.post('/account/forgot-password', { Email: email }).expect(200);
    assert.equal((await codesTo(email)).length, 1);
    await changeAccount(core.app, await idOf(email), { role: 'User' }, by);
    await verify(email, older).expect(400);
  });

  for (const isMigrated of [false, true]) {
    it(`do not complete a pending administrator account (${isMigrated ? 6 : 5})`, async () => {
      const email = someEmail();
      const overrides = {
        email,
        password: undefined,
        displayName: 'Ann',
        locale: undefined,
        role: 'Admin',
        isMigrated,
      } as const;
      await createAccount(core.app, overrides, by);
      await register(email, STRANGE, words);
      assert.deepEqual(
        (await core.app.mailsTo(email)).map(({ type }) => type),
        ['account.registration-repeated'],
      );
      const status = isMigrated
        ? LoginStatus.IsPendingAccountMigrationSignup
        : LoginStatus.IsPendingNewAccountSignup;
      assert.equal((await tryPassword(email, STRANGE).expect(403)).body.LoginStatus, status);
    });
  }

  for (const isMigrated of [false, true]) {
    it(`leave an administrator’s account without a password (${isMigrated ? 6 : 5}) to a code that an administrator has mailed`, async () => {
      const email = someEmail();
      const overrides = {
        email,
        password: undefined,
        displayName: 'Ann',
        locale: undefined,
        role: 'Admin',
        isMigrated,
      } as const;
      await createAccount(core.app, overrides, by);
      await register(email, STRANGE, words);
      await core.post('/account/forgot-password', { Email: email }).expect(200);
      assert.deepEqual(await codesTo(email), []);
      await mailCodeAsAdministrator(core.app, await idOf(email), 'reset');
      const [code = ''] = await codesTo(email);
      await verify(email, code).expect(400);
      const reset = { Email: email, Code: code, Password: OWN };
      await core.post('/account/reset-password', reset, from()).expect(200);
      await core.login(email, OWN);
      const [account] = await query(core.app.db, 'select role, display_name from account where email = ?', [
        email,
      ]);
      assert.deepEqual(account, { role: 'Admin', display_name: 'Ann' });
    });
  }
});
