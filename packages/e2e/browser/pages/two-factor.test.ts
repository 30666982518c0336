import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, expectNoViolations, fillLogin, openRow, scanQrCode, downloaded } from '../testing/index.ts';

describe('second factor in the account pages', () => {
  const { site, admin } = cast();

  const enter = async (page: Page, code: string): Promise<void> => {
    await page.locator('input[name=TwoFactorCode]').fill(code);
    await page.locator('form:has(input[name=TwoFactorCode]) button[type=submit]').click();
  };
  const keepCodes = async (page: Page): Promise<string[]> => {
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
    const codes = await page.locator('main ol code').allTextContents();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Store the codes, then confirm it above.').waitFor();
    await page.getByLabel('I have stored these codes').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    return codes;
  };
  const setUp = async (page: Page) => {
    const row = await openRow(page, 'Two-factor authentication', '/profile/security');
    const password = row.locator('input[name=Password]');
    await password.fill('not the password');
    await row.locator('button[type=submit]').click();
    await page.getByText('This is not your current password').waitFor();
    assert.ok(await password.evaluate((element) => element === document.activeElement));
    await password.fill(PASSWORD);
    await row.locator('button[type=submit]').click();
    return scanQrCode(page);
  };

  it('is set up, used, replaced by a recovery code and disabled', async () => {
    const { page, email } = await site.signedIn();
    const app = await setUp(page);
    await enter(page, '000000');
    await page.getByText('That code is wrong or has been used').waitFor();
    await enter(page, await app.nextCode());
    await expectNoViolations(page.getByRole('heading', { name: 'Keep your recovery codes' }));
    const { name } = await downloaded(page, () => page.getByRole('button', { name: 'Download' }).click());
    assert.equal(name, 'recovery-codes.txt');
    const codes = await keepCodes(page);
    assert.equal(codes.length, 10);
    await page.getByText('On', { exact: true }).waitFor();
    await expectNoViolations(page.getByText('Recovery codes left: 10'));

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?reason=signed_out');
    await fillLogin(page, email);
    await enter(page, await app.nextCode());
    await page.waitForURL('**/profile');

    const elsewhere = await site.openAndLogIn(email);
    await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
    await enter(elsewhere, codes[0] ?? '');
    await elsewhere.waitForURL('**/profile');
    await elsewhere.getByRole('link', { name: 'Security' }).click();
    await elsewhere.getByText('Recovery codes left: 9').waitFor();

    await openRow(elsewhere, 'Two-factor authentication');
    await elsewhere.getByRole('button', { name: 'Get new recovery codes' }).click();
    await enter(elsewhere, codes[0] ?? '');
    await elsewhere.getByText('That code is wrong or has been used').waitFor();
    await enter(elsewhere, codes[1] ?? '');
    await elsewhere.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
    const later = await keepCodes(elsewhere);
    assert.equal(new Set([...codes, ...later]).size, 20);

    await openRow(elsewhere, 'Two-factor authentication');
    await elsewhere.getByRole('button', { name: 'Switch off' }).click();
    await enter(elsewhere, later[0] ?? '');
    await elsewhere.getByText('Off', { exact: true }).waitFor();
  });

  it('must be set up at login if an administrator requires it', async () => {
    const { id, email } = await admin.newUser();
    const change = { TwoFactorRequired: true };
    assert.equal((await admin.call('PATCH', `/admin/account/${id}`, change)).status, 200);
    const page = await site.openAndLogIn(email, '/login', { width: 320 });
    const app = await scanQrCode(page);
    await enter(page, await app.nextCode());
    assert.equal((await keepCodes(page)).length, 10);
    await page.waitForURL('**/profile');
    await openRow(page, 'Two-factor authentication', '/profile/security');
    await page.getByText('It cannot be switched off.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Switch off' }).count(), 0);
  });
});
