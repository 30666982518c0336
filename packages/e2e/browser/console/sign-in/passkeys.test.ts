import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addPasskey, barOf, cast, expectNoViolations, signIn, promote, logIn } from '../../testing/index.ts';

describe('passkeys of administrators', () => {
  const { site, admin } = cast();

  const openWithPasskey = async () => {
    const { id, email } = await admin.newAdmin();
    const page = await site.openPage();
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
    await expectNoViolations(passkeyButton(page));
    await passkeyButton(page).click();
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('row', { name: /On one device/ }).waitFor();
  });

  it('are the second factor after the password if there is no authenticator app', async () => {
    const { page, id, email } = await openWithPasskey();
    await admin.call('PATCH', `/admin/account/${id}`, { TwoFactorRequired: true });
    await logIn(page, email, admin.url('/accounts'));
    await expectNoViolations(page.getByRole('heading', { name: 'Confirm with your passkey' }));
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  it('confirm dangerous actions, also of users without a password', async () => {
    const { page, id, email } = await openWithPasskey();
    const user = await admin.newUser();
    const roleOf = async () => (await admin.get(`/admin/account/${user.id}`))['Role'];
    await page.goto(admin.url(`/accounts/${user.id}`));
    await passkeyButton(page).click();
    await barOf(page).waitFor({ state: 'attached' });
    await site.forgetConfirmation(email);
    const dialog = await promote(page);
    const confirm = dialog.getByRole('button', { name: 'Confirm with a passkey' });
    await confirm.waitFor();
    // Whoever has a password may type it instead.
    assert.equal(await dialog.locator('input[type=password]').count(), 1);
    await admin.removePassword(id);
    await page.reload();
    await promote(page);
    await confirm.waitFor();
    assert.equal(await dialog.getByRole('textbox').count(), 0);
    await expectNoViolations(page);
    assert.equal(await roleOf(), 'User');
    await confirm.click();
    await page.getByText(/is an administrator\.$/).waitFor();
    assert.equal(await roleOf(), 'Admin');
  });
});
