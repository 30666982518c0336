import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { barOf, cast, expectNoViolations } from '../../testing/index.ts';

describe('signing in to the console with an identity provider', () => {
  const { site, admin } = cast();

  /** The URL to which the provider sends browsers back. */
  const urlOf = (path = ''): string => `${site.stack.facts.adminUrl}/console${path}`;
  const openPage = () => {
    const { adminUrl, idpUrl = '' } = site.stack.facts;
    return site.openPage({ origins: [adminUrl, idpUrl].map((url) => new URL(url).origin) });
  };
  const answerProvider = async (page: Page, email: string): Promise<void> => {
    await page.locator('input[name=login]').fill(email);
    await page.locator('[type=submit]').click();
  };
  const signOn = async (page: Page, email: string, path = ''): Promise<void> => {
    await page.goto(urlOf(path));
    await page.getByRole('button', { name: /Continue with/ }).click();
    await answerProvider(page, email);
  };

  it('opens the requested screen, and leaves no code in the URL or the tab', async () => {
    const { email } = await admin.newAdmin();
    const page = await openPage();
    await signOn(page, email, '/accounts?role=Admin');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    assert.equal(page.url(), urlOf('/accounts?role=Admin'));
    assert.deepEqual(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), [
      '',
      0,
      0,
    ]);
  });

  it('admits administrators only, with a message', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    const page = await openPage();
    await signOn(page, email);
    await page.getByText('not an administrator').waitFor();
    await expectNoViolations(page);
    assert.equal(await site.pingStatus(Token), 1);
  });

  it('does not accept a code that another browser has requested', async () => {
    const page = await openPage();
    await page.goto(urlOf(`#SignOnCode=${'A'.repeat(43)}&State=${'0'.repeat(64)}`));
    await page.getByText('was not started in this tab').waitFor();
    assert.equal(page.url(), urlOf());
  });

  it('confirms a dangerous action of a user without a password by signing on again', async () => {
    const { id, email } = await admin.newAdmin();
    const page = await openPage();
    await signOn(page, email);
    await barOf(page).waitFor({ state: 'attached' });
    await admin.removePassword(id);
    await site.forgetConfirmation(email);
    await page.goto(urlOf('/tokens'));
    const create = async () => {
      await page.getByRole('button', { name: 'Create token' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Everything');
      await dialog.getByLabel('Role').selectOption('Admin');
      await dialog.locator('button[type=submit]').click();
    };
    await create();
    await page.getByRole('button', { name: /Continue with/ }).click();
    await answerProvider(page, email);
    await page.getByText('Your identity is confirmed').waitFor();
    assert.equal(page.url(), urlOf('/tokens'));
    await create();
    await page.getByRole('region', { name: 'Token', exact: true }).waitFor();
  });
});
