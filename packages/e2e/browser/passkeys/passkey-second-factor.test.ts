import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import {
  addAuthenticator,
  expectNoViolations,
  fillLogin,
  phone,
  signIn,
  startSite,
  type Site,
  openRow,
} from '../testing/index.ts';

describe('a passkey after a password', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  /** A signed-in user with a passkey. */
  const newOwner = async () => {
    const email = await site.newAccount();
    const page = await site.openPage({ width: 320 });
    await signIn(page, email);
    const authenticator = await addAuthenticator(page);
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    return { email, page, authenticator };
  };
  /** Signs in with the password. The fingerprint reader is touched only after the password was accepted. */
  const withPassword = async (
    { email, page, authenticator }: Awaited<ReturnType<typeof newOwner>>,
    locale: 'en' | 'de' = 'en',
  ): Promise<void> => {
    await page.context().clearCookies();
    await authenticator.touch(false);
    await page.goto(`/login?locale=${locale}`);
    await fillLogin(page, email);
    await page.getByRole('button', { name: /Use a passkey|Passkey verwenden/ }).waitFor();
    await authenticator.touch(true);
  };
  const setUpApp = async (page: Page): Promise<void> => {
    const call = (body: object) =>
      page.evaluate(async (given) => {
        const answer = await fetch('/account/two-factor', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(given),
        });
        // public-openapi.json
        return (await answer.json()) as { TwoFactorSetup: { OtpAuthUri: string }; RecoveryCodes?: string[] };
      }, body);
    const { TwoFactorSetup } = await call({ Password: PASSWORD });
    const TwoFactorCode = await phone(TwoFactorSetup.OtpAuthUri).nextCode();
    assert.equal((await call({ TwoFactorCode })).RecoveryCodes?.length, 10);
  };
  const requireSecondFactor = async (email: string): Promise<void> => {
    const { admin, adminUrl } = site.stack.facts;
    const { Token } = await site.login(admin.Email, admin.Password);
    const headers = { authorization: `Bearer ${Token}`, 'content-type': 'application/json' };
    const found = await fetch(`${adminUrl}/admin/account?search=${email}`, { headers });
    const { Items } = (await found.json()) as { Items: { Id: string }[] };
    const changed = await fetch(`${adminUrl}/admin/account/${Items[0]?.Id}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ TwoFactorRequired: true }),
    });
    assert.equal(changed.status, 200);
  };

  it('is offered next to the code of the authenticator app', async () => {
    const owner = await newOwner();
    const { page } = owner;
    await setUpApp(page);
    await withPassword(owner);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/profile');
  });

  it('is the only second factor if there is no authenticator app, even if one is required', async () => {
    const owner = await newOwner();
    const { page } = owner;
    await requireSecondFactor(owner.email);
    await withPassword(owner, 'de');
    await page.getByRole('heading', { name: 'Mit Passkey bestätigen' }).waitFor();
    assert.equal(await page.locator('input[name=TwoFactorCode]').count(), 0);
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Passkey verwenden' }).click();
    await page.waitForURL('**/profile');
  });
});
