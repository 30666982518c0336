import assert from 'node:assert/strict';
import {
  addAuthenticator,
  addPasskey,
  cast,
  expectNoViolations,
  fillLogin,
  logIn,
  openRow,
  rowOf,
  submit,
} from '../testing/index.ts';

describe('passkeys in the account pages', () => {
  const { site } = cast();

  it('are added, renamed and deleted', async () => {
    const { page } = await site.signedIn();
    await addAuthenticator(page);
    await openRow(page, 'Passkeys', '/profile/security');
    await submit(page, { 'Name of the new passkey': 'Work laptop' }, 'Add a passkey');
    await expectNoViolations(page.getByRole('listitem').getByText('Work laptop'));
    await page.getByRole('button', { name: 'Rename' }).click();
    await submit(page, { 'Name of the passkey': 'Kitchen' }, 'Save');
    await page.getByRole('listitem').getByText('Kitchen').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('listitem').waitFor({ state: 'detached' });
    await rowOf(page, 'Passkeys').getByText('None', { exact: true }).waitFor();
  });

  it('are offered at the host name, to which the pages at the IP address link', async () => {
    const { baseUrl } = site.stack.facts;
    assert.equal(new URL(baseUrl).hostname, '127.0.0.1');
    const email = await site.newAccount();
    const page = await site.openPage({ isOfferedPasskeys: true });
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
});

describe('a passkey after a password', () => {
  const { site, admin } = cast();

  const newOwner = async () => {
    const { page, email } = await site.signedIn({ width: 320 });
    const authenticator = await addPasskey(page);
    // The page itself would answer the end of its session.
    await page.goto('about:blank');
    return { email, page, authenticator };
  };
  /** Signs in with the password. The fingerprint reader is touched only after the password was accepted. */
  const withPassword = async (
    { email, page, authenticator }: Awaited<ReturnType<typeof newOwner>>,
    locale: 'en' | 'de' = 'en',
  ): Promise<void> => {
    await page.context().clearCookies();
    await authenticator.touch(false);
    await logIn(page, email, `/login?locale=${locale}`);
    await page.getByRole('button', { name: /Use a passkey|Passkey verwenden/ }).waitFor();
    await authenticator.touch(true);
  };

  it('is offered next to the code of the authenticator app', async () => {
    const owner = await newOwner();
    const { page } = owner;
    await site.setUpApp(owner.email);
    await withPassword(owner);
    await expectNoViolations(page.getByRole('heading', { name: 'Enter your code' }));
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/profile');
  });

  it('is the only second factor if there is no authenticator app, even if one is required', async () => {
    const owner = await newOwner();
    const { page } = owner;
    const change = { TwoFactorRequired: true };
    await admin.call('PATCH', `/admin/account/${await admin.idOf(owner.email)}`, change);
    await withPassword(owner, 'de');
    await page.getByRole('heading', { name: 'Mit Passkey bestätigen' }).waitFor();
    assert.equal(await page.locator('input[name=TwoFactorCode]').count(), 0);
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Passkey verwenden' }).click();
    await page.waitForURL('**/profile');
  });
});
