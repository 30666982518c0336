import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  addAuthenticator,
  addPasskey,
  barOf,
  cast,
  expectNoSidewaysScroll,
  expectNoViolations,
  fillConsoleSignIn,
  openRow,
  signIn,
} from '../../testing/index.ts';

describe('passkeys of administrators', () => {
  const { site, admin } = cast();

  /** A page of a new administrator who has a passkey and is signed out. */
  const openWithPasskey = async () => {
    const { id, email } = await admin.newAdmin();
    const page = await admin.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await addPasskey(page);
    // The page itself would answer the end of its session.
    await page.goto('about:blank');
    await page.context().clearCookies();
    return { page, id, email };
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
    await addPasskey(page);
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
    const { page, email } = await openWithPasskey();
    const { recoveryCodes } = await site.setUpApp(email);
    await page.goto(admin.url('/accounts'));
    await fillConsoleSignIn(page, email);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  /** Signs in with the passkey and starts an action that needs a confirmation. Returns the dialog that asks for it. */
  const promote = async (page: Page, own: string) => {
    const user = await admin.newUser();
    await page.goto(admin.url(`/accounts/${user.id}`));
    await passkeyButton(page).click();
    await barOf(page).waitFor({ state: 'attached' });
    await site.forgetConfirmation(own);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Make an administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
    const roleOf = async () => (await admin.call('GET', `/admin/account/${user.id}`)).body['Role'];
    return { dialog: page.getByRole('dialog', { name: 'Confirm that it is you' }), roleOf };
  };
  const confirmButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Confirm with a passkey' });

  for (const [title, hasPassword] of [
    ['confirm dangerous actions', true],
    ['confirm dangerous actions of users without a password', false],
  ] as const) {
    it(title, async () => {
      const { page, id, email } = await openWithPasskey();
      if (!hasPassword) await admin.removePassword(id);
      const { dialog, roleOf } = await promote(page, email);
      await confirmButton(dialog).waitFor();
      // Whoever has a password may type it instead.
      assert.equal(await dialog.locator('input[type=password]').count(), hasPassword ? 1 : 0);
      if (!hasPassword) assert.equal(await dialog.getByRole('textbox').count(), 0);
      await expectNoViolations(page);
      assert.equal(await roleOf(), 'User');
      await confirmButton(dialog).click();
      await page.getByText(/is an administrator\.$/).waitFor();
      assert.equal(await roleOf(), 'Admin');
    });
  }
});
