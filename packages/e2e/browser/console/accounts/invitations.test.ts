import assert from 'node:assert/strict';
import { cast, chooseFile, itInEveryLayout, PASSWORD, rowOf, submit } from '../../testing/index.ts';

describe('the invitations in the console', () => {
  const { site, admin } = cast();
  before(() => invited(1));

  const invited = async (count: number): Promise<{ id: string; emails: string[] }> => {
    const id = await admin.newContent('The board meets');
    const emails = Array.from({ length: count }, () => site.someEmail());
    await admin.call('POST', `/admin/content-definition/${id}/invite`, { Emails: emails });
    return { id, emails };
  };
  const pending = async (id: string): Promise<unknown> =>
    (await admin.get(`/admin/invitation?contentDefinitionId=${id}&count=true`))['Count'];

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/invitations', layout);
    await check(page.getByRole('table'));
    const actions = { name: /^(Actions for|Aktionen für)/ };
    await page.getByRole('button', actions).first().click();
    await page.getByRole('button', { name: /^(Delete invitation|Einladung löschen)$/ }).click();
    await check(page.getByRole('dialog'));
  });

  it('are sent again and deleted using the keyboard only', async () => {
    const { id, emails } = await invited(1);
    const [invitee = ''] = emails;
    const { page, keyboard } = await admin.openByKeyboard(`/invitations?contentDefinitionId=${id}`);
    const row = page.getByRole('row').filter({ hasText: invitee });
    await row.getByText('in 6 days').waitFor();
    await keyboard.press(row.getByRole('button', { name: `Actions for ${invitee}` }));
    await keyboard.press(page.getByRole('button', { name: 'Send again' }));
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Send again' }));
    await page.getByText('The invitation was sent again.').waitFor();
    await keyboard.press(row.getByRole('button', { name: `Actions for ${invitee}` }));
    await keyboard.press(page.getByRole('button', { name: 'Delete invitation' }));
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Delete invitation' }));
    await page.getByText('No invitation matches.').waitFor();
    assert.equal(await pending(id), 0);
  });

  it('are deleted in bulk by filter, after a preview', async () => {
    const { id } = await invited(3);
    const { page, dialog } = await admin.open('/invitations');
    const openMenu = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Change all that match' }).click();
      await page.getByRole('button', { name: 'Delete all that match' }).click();
    };
    await openMenu();
    await dialog.getByText('Choose a filter first').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto(admin.url(`/invitations?contentDefinitionId=${id}`));
    await openMenu();
    await dialog.getByText('would be deleted: 3.').waitFor();
    assert.equal(await pending(id), 3);
    await dialog.getByRole('button', { name: 'Delete: 3' }).click();
    await page.getByText('Invitations changed: 3.').waitFor();
    assert.equal(await pending(id), 0);
  });

  it('are of accounts that are created with a mail to their owners, who set them up and are signed in', async () => {
    const email = site.someEmail();
    const { page, dialog } = await admin.open('/accounts');
    await page.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByLabel('Name').fill('Ann');
    await dialog.getByLabel('Language').selectOption('de');
    assert.ok(await dialog.getByLabel('Mail the owner a link to set up the account').isChecked());
    await submit(dialog, { 'Email address': await site.newAccount() }, 'Create account');
    await dialog.getByText('There is already an account with this email address.').waitFor();
    await submit(dialog, { 'Email address': email }, 'Create account');
    await page.getByText('A link was mailed to its owner.').waitFor();
    await page.getByText('Its owner has not set up the account yet.').waitFor();

    const owner = await site.openAt(await site.mailedLink(email, '/complete-account'), {
      width: 320,
      locale: 'de',
    });
    assert.equal(owner.url(), `${site.origin}/complete-account`);
    await owner.getByText(`Für ${email} wurde ein Konto angelegt.`).waitFor();
    await submit(owner, { Passwort: PASSWORD }, 'Konto einrichten');
    await owner.waitForURL('**/profile');
    await owner.getByRole('heading', { name: 'Profil' }).waitFor();
    await rowOf(owner, 'Name').getByText('Ann').waitFor();

    await owner.goto(await site.mailedLink(email, '/complete-account'));
    await owner.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
  });

  it('are sent to owners once more, and no code that would do nothing', async () => {
    const email = site.someEmail();
    const { id } = await admin.create('/admin/account', { Email: email });
    const { page, dialog } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Mail the link to set it up' }).click();
    await dialog.getByText(`${email} gets a link by mail`).waitFor();
    await dialog.getByRole('button', { name: 'Mail the link to set it up' }).click();
    await site.mailedLink(email, '/complete-account');
    await page.getByRole('button', { name: 'Actions' }).click();
    assert.equal(await page.getByRole('button', { name: 'Mail a reset code' }).count(), 0);
    await page.goto(admin.url(`/accounts/${(await admin.newUser()).id}`));
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Mail a reset code' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mail the link to set it up' }).count(), 0);
  });

  it('are of imported accounts, whose owners are mailed on request', async () => {
    const { page } = await admin.open('/import');
    const emails = [site.someEmail(), site.someEmail(), site.someEmail()];
    const lines = ['Email,Name', ...emails.map((email) => `${email},Ann`)];
    await chooseFile(page, 'accounts.csv', lines.join('\r\n'));
    await page.getByRole('button', { name: 'Check all 3 rows' }).click();
    await page.getByText('3 of 3 rows').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Mail/ }).count(), 0);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByRole('button', { name: 'Mail 3 owners' }).click();
    await page.getByText('Mailed: 3 owners.').waitFor();
    for (const email of emails) await site.mailedLink(email, '/complete-account');
  });
});
