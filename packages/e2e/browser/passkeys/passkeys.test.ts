import assert from 'node:assert/strict';
import {
  addAuthenticator,
  cast,
  expectNoViolations,
  fillLogin,
  openRow,
  rowOf,
  signIn,
} from '../testing/index.ts';

describe('passkeys in the account pages', () => {
  const { site } = cast();

  it('are added, sign in without typing, are renamed and deleted', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByLabel('Name of the new passkey').fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('listitem').getByText('Work laptop').waitFor();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the passkey').fill('Kitchen');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').getByText('Kitchen').waitFor();
    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/profile');
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByText('last used').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('listitem').waitFor({ state: 'detached' });
    await rowOf(page, 'Passkeys').getByText('None', { exact: true }).waitFor();
  });

  it('are offered at the host name, to which the pages at the IP address link', async () => {
    const { baseUrl } = site.stack.facts;
    assert.equal(new URL(baseUrl).hostname, '127.0.0.1');
    const email = await site.newAccount();
    const page = await site.openPage({ origins: [baseUrl], isOfferedPasskeys: true });
    const leadsToName = async (path: string): Promise<void> => {
      await page.getByText('Passkeys do not work at an IP address.').waitFor();
      const link = page.getByRole('link', { name: `Open ${site.origin}${path}` });
      assert.equal(await link.getAttribute('href'), `${site.origin}${path}`);
      await expectNoViolations(page);
    };
    await page.goto(`${baseUrl}/login`);
    await leadsToName('/login');
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
    await fillLogin(page, email);
    await page.waitForURL(`${baseUrl}/profile`);
    await page.goto(`${baseUrl}/profile/security`);
    await openRow(page, 'Passkeys');
    await leadsToName('/profile/security');
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  });

  it('are offered at the configured URL, not at the address of the page', async () => {
    const foreign = 'https://192.0.2.1';
    const page = await site.openPage({ origins: [foreign] });
    await page.route(`${foreign}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `${site.stack.facts.baseUrl}${pathname}` }) });
    });
    await page.goto(`${foreign}/login`);
    await page.getByRole('link', { name: `Open ${site.origin}/login` }).waitFor();
  });
});
