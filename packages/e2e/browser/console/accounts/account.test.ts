import assert from 'node:assert/strict';
import { failuresFor, setFailures } from '@gatehouse/accounts/testing';
import { connectDb, throttleKeyText } from '@gatehouse/db';
import { cast, expectNoViolations, fillLogin, itInEveryLayout } from '../../testing/index.ts';
import { PASSWORD } from '../../../src/testing/index.ts';

describe('the console’s screen of an account', () => {
  const { site, admin } = cast();

  /** Records so many failed logins that the next logins must wait. */
  const block = async (email: string): Promise<void> => {
    const db = connectDb({ url: site.stack.facts.databaseUrl, applicationName: 'account', poolMax: 1 });
    await setFailures({ db }, failuresFor(email), 12);
    await db.destroy();
    await site.sql(
      `update login_throttle set blocked_until = now() + interval '10 minutes' where email_key = ?`,
      [throttleKeyText(failuresFor(email))],
    );
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { id, email } = await admin.newUser();
    await block(email);
    await admin.call('PATCH', `/admin/account/${id}`, { IsDisabled: true, TwoFactorRequired: true });
    const { page } = await admin.open(`/accounts/${id}`, layout);
    await page.getByRole('button', { name: /Unlock|Wartezeit aufheben/ }).waitFor();
    await check(page);
    await page.getByRole('button', { name: /^(Edit|Bearbeiten)$/ }).click();
    await page.getByRole('dialog').waitFor();
    await check(page);
  });

  it('shows who disabled it and when, and enables it again', async () => {
    const { id } = await admin.newUser();
    await admin.call('PATCH', `/admin/account/${id}`, { IsDisabled: true });
    const { page } = await admin.open(`/accounts/${id}`);
    const card = page.getByRole('region', { name: 'Why can’t they log in?' });
    await card.getByText('An administrator disabled the account.').waitFor();
    await card.getByRole('link', { name: site.stack.facts.admin.Email }).waitFor();
    assert.ok(await card.getByRole('time').first().getAttribute('datetime'));
    await card.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Nothing prevents a login.').waitFor();
    assert.equal((await admin.call('GET', `/admin/account/${id}`)).body['IsDisabled'], false);
    await page.getByRole('main').getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('link', { name: 'Account disabled' }).waitFor();
    await page.getByRole('link', { name: 'Account enabled again' }).click();
    const entry = page.getByRole('dialog', { name: 'Account enabled again' });
    await entry.getByText('No more details.').waitFor();
  });

  it('is disabled for a week, which the card says, and its owner at the login', async () => {
    const { id, email } = await admin.newUser();
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason', { exact: true }).fill('spam');
    await dialog.getByLabel('For how long').selectOption('One week');
    await dialog.getByLabel('Tell the owner the end and the reason at the next login').check();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('region', { name: 'Why can’t they log in?' }).getByText('Reason: spam').waitFor();
    const days =
      (Date.parse(String((await admin.call('GET', `/admin/account/${id}`)).body['DisabledUntil'])) -
        Date.now()) /
      86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    const own = await site.openPage({ locale: 'de', width: 320 });
    await own.goto('/login');
    await fillLogin(own, email);
    await own.getByText('Grund: spam').waitFor();
    await own.getByText('Sie können sich wieder anmelden ab').waitFor();
    await expectNoViolations(own);
  });

  it('gets another email address at once if its owner cannot confirm it', async () => {
    const { id } = await admin.newUser();
    await admin.call('PATCH', `/admin/account/${id}`, { ExpiresAt: '2020-01-01T00:00:00Z' });
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Change the email address' }).click();
    const dialog = page.getByRole('dialog');
    const email = site.someEmail();
    await dialog.getByLabel('New email address').fill(email);
    await dialog.getByRole('button', { name: 'Change the email address' }).click();
    await page.getByRole('main').getByText(email).first().waitFor();
  });

  it('shows how long logins are throttled after failures, and unlocks them', async () => {
    const { id, email } = await admin.newUser();
    await block(email);
    const { page } = await admin.open(`/accounts/${id}`);
    const card = page.getByRole('region', { name: 'Why can’t they log in?' });
    await card.getByText('12 failed attempts since the last login').waitFor();
    await card.getByText('Logins wait until').waitFor();
    await card.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('Unlocked: the next attempt is not delayed.').waitFor();
    await page.getByText('Nothing prevents a login.').waitFor();
    await site.login(email, PASSWORD);
  });

  it('shows who it is, and folds what is as in most accounts', async () => {
    const { id, email } = await admin.newUser();
    await admin.call('PATCH', `/admin/account/${id}`, { DisplayName: 'Ann Example', SessionLimit: 2 });
    const { page } = await admin.open(`/accounts/${id}`);
    const head = page.locator('main > header');
    await head.getByText(email).waitFor();
    await head.getByText('Last login: Never').waitFor();
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByText('Session limit').waitFor();
    assert.equal(await profile.getByText('New password required').isVisible(), false);
    await profile.getByText(/more, as in most accounts/).click();
    await profile.getByText('New password required').waitFor();
  });

  it('changes the name and the expiry, and says that it has expired', async () => {
    const { id } = await admin.newUser();
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ann Example');
    await dialog.getByLabel('Expires').fill('2001-02-03T04:05');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
    await page.getByText('The account has expired.').waitFor();
    await page.getByRole('button', { name: 'Change the expiry' }).click();
    await dialog.getByLabel('Expires').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing prevents a login.').waitFor();
    const { body } = await admin.call('GET', `/admin/account/${id}`);
    assert.deepEqual([body['DisplayName'], body['ExpiresAt']], ['Ann Example', null]);
  });

  it('is changed to a service account and back', async () => {
    const { id } = await admin.newUser();
    const { page } = await admin.open(`/accounts/${id}`);
    for (const [action, isService] of [
      ['Make a service account', true],
      ['Make a person’s account', false],
    ] as const) {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('button', { name: action }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: action }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await admin.call('GET', `/admin/account/${id}`)).body['IsService'], isService);
    }
  });

  it('links to its sessions, mails and changes', async () => {
    const { id, email } = await admin.newUser();
    await site.login(email);
    await admin.call('PATCH', `/admin/account/${id}`, { NewPasswordRequired: true });
    const { page } = await admin.open(`/accounts/${id}/sessions`);
    await page.getByText('1 in all').waitFor();
    await page.getByRole('table').getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Change selected' }).waitFor();
    await page.getByRole('link', { name: 'Mails' }).last().click();
    await page.getByRole('main').getByRole('table').getByRole('link').first().waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('link', { name: 'Account changed' }).click();
    await page.getByRole('dialog', { name: 'Account changed' }).getByText('New password required').waitFor();
  });
});
