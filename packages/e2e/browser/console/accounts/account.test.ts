import assert from 'node:assert/strict';
import { failuresFor } from '@gatehouse/accounts/testing';
import { throttleKeyText } from '@gatehouse/db';
import {
  cast,
  chooseAction,
  confirmed,
  expectNoViolations,
  fillLogin,
  itInEveryLayout,
  type Person,
  submit,
} from '../../testing/index.ts';

describe('the console’s screens of an account', () => {
  const { site, admin } = cast();

  const block = async (email: string): Promise<void> => {
    const insert = `insert into login_throttle (email_key, failures, blocked_until)
       values (?, 12, now() + interval '10 minutes')`;
    await site.sql(insert, [throttleKeyText(failuresFor(email))]);
  };

  /** An account with a password, a passkey, and an identity of a provider that is not configured. */
  const newLinkedUser = async (): Promise<Person> => {
    const { id, email } = await admin.newUser();
    await addPasskeyTo(id);
    const link = `insert into sso_identity (issuer, subject, account_id, provider) values ('https://id.example.com', ?, ?, 'demo')`;
    await site.sql(link, [`person-of-${id}`, id]);
    return { id, email };
  };
  const passkey = `insert into passkey (
         id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (gen_random_uuid(), ?, convert_to(gen_random_uuid()::text, 'utf8'), '', -7, false, false, 'Blue key')`;
  const addPasskeyTo = (accountId: string) => site.sql(passkey, [accountId]);
  const contentOf = ({ id }: Person) =>
    admin.items<{ Name: string; ExpiresAt: string | null }>(`/admin/account/${id}/content`);

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { id, email } = await newLinkedUser();
    await block(email);
    await admin.call('PATCH', `/admin/account/${id}`, { IsDisabled: true, TwoFactorRequired: true });
    await admin.newContent('Owned by Ann', { OwnerId: id });
    const { page } = await admin.open(`/accounts/${id}`, layout);
    const unlock = page.getByRole('button', { name: /Unlock|Wartezeit aufheben/ });
    await check(unlock);
    await unlock.click();
    await unlock.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^(Edit|Bearbeiten)$/ }).click();
    await check(page.getByRole('dialog'));
    await page.goto(admin.url(`/accounts/${id}/methods`));
    await check(page.getByRole('cell', { name: 'https://id.example.com' }));
    await page.getByRole('button', { name: /^(Unlink|Trennen)$/ }).click();
    await check(page.getByRole('dialog'));
    await page.goto(admin.url(`/accounts/${id}/content`));
    await check(page.getByRole('link', { name: 'Owned by Ann' }));
    await page.getByRole('button', { name: /Give access|Zugang erteilen/ }).click();
    await check(page.getByRole('radio').first());
  });

  it('is disabled for a week, which the card says, and its owner at the login, and can be undone', async () => {
    const { id, email } = await admin.newUser();
    const own = await site.openAt('/login', { locale: 'de', width: 320 });
    const { page, dialog } = await admin.open(`/accounts/${id}`);
    await chooseAction(page, 'Disable');
    await dialog.getByLabel('For how long').selectOption('One week');
    await dialog.getByLabel('Tell the owner the end and the reason at the next login').check();
    await expectNoViolations(page);
    await submit(dialog, { Reason: 'spam' }, 'Disable');
    await page.getByRole('region', { name: 'Why can’t they log in?' }).getByText('Reason: spam').waitFor();
    const { DisabledUntil } = await admin.get(`/admin/account/${id}`);
    const days = (Date.parse(String(DisabledUntil)) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    await fillLogin(own, email);
    await own.getByText('Grund: spam').waitFor();
    await own.getByText('Sie können sich wieder anmelden ab').waitFor();
    // It is offered for fifteen seconds.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing prevents a login.').waitFor();
    assert.equal((await admin.get(`/admin/account/${id}`))['IsDisabled'], false);
    await expectNoViolations(own);
  });

  it('changes the name, the expiry and, where its owner cannot confirm it, the email at once', async () => {
    const { id } = await admin.newUser();
    const { page, dialog } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await submit(dialog, { Name: 'Ann Example', Expires: '2001-02-03T04:05' }, 'Save');
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
    await page.getByText('The account has expired.').waitFor();
    await chooseAction(page, 'Change the email address');
    const email = site.someEmail();
    await submit(dialog, { 'New email address': email }, 'Change the email address');
    await page.getByRole('main').getByText(email).first().waitFor();
    await page.getByRole('button', { name: 'Change the expiry' }).click();
    await submit(dialog, { Expires: '' }, 'Save');
    await page.getByText('Nothing prevents a login.').waitFor();
    const { DisplayName, ExpiresAt } = await admin.get(`/admin/account/${id}`);
    assert.deepEqual([DisplayName, ExpiresAt], ['Ann Example', null]);
  });

  it('says how the password is kept, and takes a second factor as required', async () => {
    const { id } = await newLinkedUser();
    const { page } = await admin.open(`/accounts/${id}/methods`);
    const password = page.getByRole('region', { name: 'Password' });
    await password.getByText('A hash with this installation’s own key').waitFor();
    const factor = page.getByRole('region', { name: 'Second factor' });
    await factor.getByText('Not set up').waitFor();
    await confirmed(page, 'Require a second factor', factor.getByRole('button', { name: 'Require a' }));
    await factor.getByRole('button', { name: 'No longer require a second factor' }).waitFor();
    assert.equal((await admin.get(`/admin/account/${id}`))['TwoFactorRequired'], true);
  });

  it('removes the identity of a provider and a passkey after confirmation', async () => {
    const { id } = await newLinkedUser();
    const { page } = await admin.open(`/accounts/${id}/methods`);
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    const unlink = page.getByRole('dialog', { name: 'Unlink the identity' });
    await unlink.getByText('https://id.example.com').waitFor();
    await unlink.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByText('No provider’s identity is linked.').waitFor();

    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('row', { name: /Blue key On one device/ }).waitFor();
    await card.getByRole('button', { name: 'Remove' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove the passkey' });
    await remove.getByText('“Blue key”').waitFor();
    await remove.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Remove' }).click();
    await remove.getByRole('button', { name: 'Remove', exact: true }).click();
    await card.getByText('This account has no passkey.').waitFor();
    for (const kind of ['identity', 'passkey'])
      assert.deepEqual(await admin.items(`/admin/account/${id}/${kind}`), []);
  });

  it('leads administrators to the account pages for their own second factors', async () => {
    const { page, admin: own } = await admin.open();
    await addPasskeyTo(own.id);
    await page.goto(admin.url(`/accounts/${own.id}/methods`));
    const row = page.getByRole('region', { name: 'Passkeys' }).getByRole('row', { name: /Blue key/ });
    await row.getByRole('link', { name: 'Remove on the account pages' }).waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });

  it('shares content until a date and revokes it, using the keyboard only', async () => {
    const ben = await admin.newUser();
    const name = `Secret plans ${site.someEmail()}`;
    await admin.newContent(name);
    const { page, keyboard } = await admin.openByKeyboard(`/accounts/${ben.id}/content`);
    await page.getByText('owns no content and has access to none').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Give access' }));
    const dialog = page.getByRole('dialog', { name: 'Give access' });
    await keyboard.press(dialog.getByRole('button', { name: 'Give access' }));
    await dialog.locator('[name=search][aria-invalid=true]').waitFor();
    await keyboard.type(dialog.getByLabel('Find content'), name);
    const choice = dialog.getByRole('radio', { name });
    await choice.waitFor();
    await keyboard.press(choice, 'Space');
    await dialog.getByLabel('Until').fill('2099-01-02T03:04');
    await keyboard.press(dialog.getByRole('button', { name: 'Give access' }));
    await page.getByText('Access was given.').waitFor();
    const [given] = await contentOf(ben);
    assert.equal(given?.Name, name);
    assert.match(given?.ExpiresAt ?? '', /^2099-01-0/);
    await page.getByRole('cell', { name: 'Has access' }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Revoke access' }));
    const asked = page.getByRole('dialog', { name: 'Revoke access' });
    await keyboard.press(asked.getByRole('button', { name: 'Revoke access' }));
    await page.getByText('owns no content and has access to none').waitFor();
    assert.deepEqual(await contentOf(ben), []);
  });
});
