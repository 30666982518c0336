import assert from 'node:assert/strict';
import { addAuthenticator, addPasskey, cast, expectNoViolations, fillLogin } from '../testing/index.ts';

describe('a passkey after a password', () => {
  const { site, admin } = cast();

  /** A signed-in user with a passkey. */
  const newOwner = async () => {
    const { page, email } = await site.signedIn({ width: 320 });
    const authenticator = await addAuthenticator(page);
    await addPasskey(page);
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
    await page.goto(`/login?locale=${locale}`);
    await fillLogin(page, email);
    await page.getByRole('button', { name: /Use a passkey|Passkey verwenden/ }).waitFor();
    await authenticator.touch(true);
  };
  it('is offered next to the code of the authenticator app', async () => {
    const owner = await newOwner();
    const { page } = owner;
    await site.setUpApp(owner.email);
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
