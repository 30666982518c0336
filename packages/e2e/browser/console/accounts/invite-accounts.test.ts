import assert from 'node:assert/strict';
import { PASSWORD } from '../../../src/testing/index.ts';
import { cast, mailedLink, rowOf } from '../../testing/index.ts';

describe('accounts for others, in the console', () => {
  const { site, admin } = cast();

  const newWaiting = async (more: object = {}): Promise<{ id: string; email: string }> => {
    const email = site.someEmail();
    const { status, body } = await admin.call('POST', '/admin/account', { Email: email, ...more });
    assert.equal(status, 201);
    return { id: String(body['Id']), email };
  };

  it('are created with a mail to their owners, who set them up and are signed in', async () => {
    const email = site.someEmail();
    const { page } = await admin.open('/accounts');
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByLabel('Name').fill('Ann');
    await dialog.getByLabel('Language').selectOption('de');
    assert.ok(await dialog.getByLabel('Mail the owner a link to set up the account').isChecked());
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('A link was mailed to its owner.').waitFor();
    await page.getByText('Its owner has not set up the account yet.').waitFor();

    const owner = await site.openPage({ width: 320, locale: 'de' });
    await owner.goto(await mailedLink(site, email, '/complete-account'));
    assert.equal(owner.url(), `${site.origin}/complete-account`);
    await owner.getByText(`Für ${email} wurde ein Konto angelegt.`).waitFor();
    await owner.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await owner.getByRole('button', { name: 'Konto einrichten' }).click();
    await owner.waitForURL('**/profile');
    await owner.getByRole('heading', { name: 'Profil' }).waitFor();
    await rowOf(owner, 'Name').getByText('Ann').waitFor();

    await owner.goto(await mailedLink(site, email, '/complete-account'));
    await owner.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
  });

  it('send their owners another link, and no code that would do nothing', async () => {
    const { id, email } = await newWaiting();
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Mail the link to set it up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${email} gets a link by mail`).waitFor();
    await dialog.getByRole('button', { name: 'Mail the link to set it up' }).click();
    await mailedLink(site, email, '/complete-account');
    await page.getByRole('button', { name: 'Actions' }).click();
    assert.equal(await page.getByRole('button', { name: 'Mail a reset code' }).count(), 0);
    await page.goto(admin.url(`/accounts/${(await admin.newUser()).id}`));
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Mail a reset code' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mail the link to set it up' }).count(), 0);
  });

  it('mail all selected owners their links after a preview', async () => {
    const name = `Invited ${site.someEmail()}`;
    const waiting = [await newWaiting({ DisplayName: name }), await newWaiting({ DisplayName: name })];
    await newWaiting({ DisplayName: name, Password: PASSWORD });
    const { page } = await admin.open(`/accounts?${new URLSearchParams({ search: name }).toString()}`);
    await page.getByText('3 in all').waitFor();
    await page.getByRole('button', { name: /^Change all/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Change').selectOption({ label: 'Mail the link to set up the account' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/Mail the link to set up the account\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Change 2 accounts' }).click();
    for (const { email } of waiting) await mailedLink(site, email, '/complete-account');
  });

  it('are imported, and their owners mailed on request', async () => {
    const { page } = await admin.open('/import');
    const emails = [site.someEmail(), site.someEmail(), site.someEmail()];
    const text = ['Email,Name', ...emails.map((email) => `${email},Ann`)].join('\r\n');
    const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Check all 3 rows' }).click();
    await page.getByText('3 of 3 rows').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Mail/ }).count(), 0);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByRole('button', { name: 'Mail 3 owners' }).click();
    await page.getByText('Mailed: 3 owners.').waitFor();
    for (const email of emails) await mailedLink(site, email, '/complete-account');
  });
});
