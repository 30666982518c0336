import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  barOf,
  expectNoSidewaysScroll,
  expectNoViolations,
  fillConsoleSignIn,
  addAuthenticator,
  openTestConsole,
  phone,
  signIn,
  startSite,
  type Site,
  type TestConsole,
  openRow,
} from '../../testing/index.ts';
import { PASSWORD } from '../../../src/testing/index.ts';

describe('passkeys of administrators', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  /** A page of a new administrator who has a passkey and is signed out. */
  const openWithPasskey = async (prepare?: (page: Page) => Promise<string>) => {
    const { id, email } = await admin.newAdmin();
    const page = await admin.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    const recoveryCode = await prepare?.(page);
    await page.context().clearCookies();
    return { page, id, email, recoveryCode };
  };
  /** Sets up an authenticator app too. Returns a recovery code. */
  const setUpApp = async (page: Page): Promise<string> => {
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
    return (await call({ TwoFactorCode })).RecoveryCodes?.[0] ?? '';
  };
  const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

  it('sign in to the console without typing, and open the requested screen', async () => {
    const { page, id } = await openWithPasskey();
    await page.goto(admin.url(`/accounts/${id}/methods`));
    await passkeyButton(page).waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await passkeyButton(page).click();
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('row', { name: /On one device/ }).waitFor();
  });

  it('are removed by another administrator, and can no longer sign in', async () => {
    const { page, id } = await openWithPasskey();
    await page.goto(admin.url());
    await passkeyButton(page).click();
    await barOf(page).waitFor({ state: 'attached' });
    const { body } = await admin.call('GET', `/admin/account/${id}/passkey`);
    const [passkey] = body['Items'] as { Id: string }[]; // public-openapi.json
    await admin.call('DELETE', `/admin/account/${id}/passkey/${passkey?.Id}`);
    await page.goto(admin.url('/sessions'));
    await page.getByText('An administrator ended your session.').waitFor();
    await passkeyButton(page).click();
    await page.getByText('This passkey was not accepted.').waitFor();
  });

  it('of users who are not administrators are refused, and end no session', async () => {
    const email = await site.newAccount();
    const page = await admin.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    await page.goto(admin.url());
    await passkeyButton(page).click();
    await page.getByText('not an administrator').waitFor();
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByRole('button', { name: 'Rename' }).waitFor();
  });

  it('are the second factor after the password if there is no authenticator app', async () => {
    const { page, id, email } = await openWithPasskey();
    await admin.call('PATCH', `/admin/account/${id}`, { TwoFactorRequired: true });
    await page.goto(admin.url('/accounts'));
    await fillConsoleSignIn(page, email);
    await page.getByRole('heading', { name: 'Confirm with your passkey' }).waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  it('leave the other second factors as they are', async () => {
    const { page, email, recoveryCode = '' } = await openWithPasskey(setUpApp);
    await page.goto(admin.url('/accounts'));
    await fillConsoleSignIn(page, email);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  /** Signs in with the passkey and starts an action that needs a confirmation. Returns the dialog that asks for it. */
  const promote = async (page: Page, id: string) => {
    const email = await site.newAccount();
    const found = await admin.call('GET', `/admin/account?email=${encodeURIComponent(email)}`);
    const [user] = found.body['Items'] as { Id: string }[]; // public-openapi.json
    await page.goto(admin.url(`/accounts/${user?.Id}`));
    await passkeyButton(page).click();
    await barOf(page).waitFor({ state: 'attached' });
    await admin.forgetConfirmation(id);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Make an administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
    const roleOf = async () => (await admin.call('GET', `/admin/account/${user?.Id}`)).body['Role'];
    return { dialog: page.getByRole('dialog', { name: 'Confirm that it is you' }), roleOf };
  };
  const confirmButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Confirm with a passkey' });

  it('confirm dangerous actions', async () => {
    const { page, id } = await openWithPasskey();
    const { dialog, roleOf } = await promote(page, id);
    await confirmButton(dialog).waitFor();
    await expectNoViolations(page);
    await confirmButton(dialog).click();
    await page.getByText(/is an administrator\.$/).waitFor();
    assert.equal(await roleOf(), 'Admin');
  });

  it('confirm dangerous actions of users without a password', async () => {
    const { page, id } = await openWithPasskey();
    await admin.removePassword(id);
    const { dialog, roleOf } = await promote(page, id);
    await confirmButton(dialog).waitFor();
    assert.equal(await dialog.getByRole('textbox').count(), 0);
    assert.equal(await dialog.locator('input[type=password]').count(), 0);
    await expectNoViolations(page);
    assert.equal(await roleOf(), 'User');
    await confirmButton(dialog).click();
    await page.getByText(/is an administrator\.$/).waitFor();
    assert.equal(await roleOf(), 'Admin');
  });
});
