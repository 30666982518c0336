import assert from 'node:assert/strict';
import { cast, itInEveryLayout } from '../../testing/index.ts';

describe('the invitations in the console', () => {
  const { site, admin } = cast();
  before(async () => {
    await invited(1);
  });

  /** New content, and this many strangers who are invited to it. */
  const invited = async (count: number): Promise<{ id: string; emails: string[] }> => {
    const id = await admin.newContent('The board meets');
    const emails = Array.from({ length: count }, () => site.someEmail());
    await admin.call('POST', `/admin/content-definition/${id}/invite`, { Emails: emails });
    return { id, emails };
  };
  const pending = async (id: string): Promise<unknown> =>
    (await admin.call('GET', `/admin/invitation?contentDefinitionId=${id}&count=true`)).body['Count'];

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/invitations', layout);
    await page.getByRole('table').waitFor();
    await check(page);
    await page
      .getByRole('button', { name: /^(Actions for|Aktionen für)/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^(Delete invitation|Einladung löschen)$/ }).click();
    await page.getByRole('dialog').waitFor();
    await check(page);
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
    await keyboard.expectNoPointer();
    assert.equal(await pending(id), 0);
  });

  it('are deleted in bulk by filter, after a preview', async () => {
    const { id } = await invited(3);
    const { page } = await admin.open('/invitations');
    const openMenu = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Change all that match' }).click();
      await page.getByRole('button', { name: 'Delete all that match' }).click();
    };
    await openMenu();
    const dialog = page.getByRole('dialog');
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

  it('are filtered by who invited and whether the link has expired, in the address', async () => {
    const { emails } = await invited(1);
    const { page } = await admin.open(`/invitations?email=${emails[0]}&isExpired=false`);
    await page.getByRole('link', { name: emails[0] ?? '' }).waitFor();
    await page.locator('select[name=isExpired]').selectOption('true');
    await page.waitForURL(/isExpired=true/);
    await page.getByText('No invitation matches.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: emails[0] ?? '' }).waitFor();
  });
});
