import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { addAuthenticator, cast, expectNoViolations, openRow, signIn } from '../testing/index.ts';

describe('sessions elsewhere, in the account pages', () => {
  const { site } = cast({ SINGLE_SESSION: 'false' });

  it('can be ended after a change of a sign-in method', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    const page = await site.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await page.goto('/profile/security');
    await openRow(page, 'Passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Sessions of this account elsewhere: 1.').waitFor();
    await expectNoViolations(page);
    assert.equal((await site.call('GET', '/account/profile', undefined, Token)).status, 200);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Sessions ended: 1').waitFor();
    assert.equal((await site.call('GET', '/account/profile', undefined, Token)).status, 401);
    await page.getByRole('button', { name: 'Rename' }).waitFor();
  });

  it('can be ended by somebody who finds a stranger’s sign-in, and are gone from the list', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    await eventually(async () => {
      const { body } = await site.call('GET', '/account/sign-in', undefined, Token);
      return (body['Items'] as unknown[]).length > 0; // public-openapi.json
    });
    const page = await site.openPage();
    await signIn(page, email);
    await page.goto('/profile/sessions');
    await page.getByRole('button', { name: 'End session' }).waitFor();
    await page.getByRole('button', { name: 'This wasn’t me' }).first().click();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Sessions ended: 1').waitFor();
    assert.equal((await site.call('GET', '/account/profile', undefined, Token)).status, 401);
    await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
  });
});
