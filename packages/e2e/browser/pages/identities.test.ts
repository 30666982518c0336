import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { cast, expectNoViolations, openRow, signIn, signOnWith } from '../testing/index.ts';

const SUBJECT = 'Sign-in with a provider';

describe('linked identities in the account pages', () => {
  const { site } = cast();

  it('are linked, sign in with an email other than the account’s, and are unlinked', async () => {
    const { page, email } = await site.signedIn();
    const elsewhere = someEmail();
    await openRow(page, SUBJECT, '/profile/security');
    await signOnWith(page, elsewhere, 'Link Demo');
    await page.waitForURL('**/profile/security');
    await openRow(page, SUBJECT);
    await page.getByRole('button', { name: 'Unlink' }).waitFor();
    assert.equal(page.url(), `${site.origin}/profile/security`);
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await expectNoViolations(page);
    await page.context().clearCookies();
    await page.goto('/login');
    await signOnWith(page, elsewhere);
    await page.getByRole('banner').getByText(email).waitFor();
    await openRow(page, SUBJECT, '/profile/security');
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Link Demo' }).waitFor();
    await page.goto('/profile');
    await page.goto(`/profile/security#IdentityCode=${'x'.repeat(43)}&State=${'y'.repeat(43)}`);
    await page.getByText('not started in this tab').waitFor();
  });

  it('are linked even if the page switches to the language of the account', async () => {
    const page = await site.openPage({ locale: 'de' });
    await signIn(page, await site.newAccount());
    // Otherwise the language switch of this page could replace the next page.
    await page.waitForURL('**/profile?locale=en');
    await page.goto('/profile/security');
    await page.waitForURL('**/profile/security?locale=en');
    await openRow(page, SUBJECT);
    await signOnWith(page, someEmail(), 'Link Demo');
    await page.getByRole('button', { name: /^Manage/ }).waitFor();
  });
});
