import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { addFilter, cast, itInEveryLayout, PASSWORD } from '../../testing/index.ts';

describe('many accounts in the console', () => {
  const { site, admin } = cast();
  let shown: Awaited<ReturnType<typeof newGroup>>;
  before(async () => (shown = await newGroup(3)));

  /** Accounts with a unique name, so that a search for it finds only them. */
  const newGroup = async (count: number) => {
    const name = `Group ${site.someEmail().replaceAll(/\W/g, '')}`;
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const wanted = { Email: site.someEmail(), DisplayName: name, Password: PASSWORD };
      ids.push((await admin.create('/admin/account', wanted)).id);
    }
    return { name, ids };
  };
  const listOf = ({ name }: { name: string }): string =>
    `/accounts?${new URLSearchParams({ search: name }).toString()}`;
  const isDisabled = async (id: string) => (await admin.get(`/admin/account/${id}`))['IsDisabled'];

  itInEveryLayout('can be changed by everybody', async (layout, check) => {
    const { page } = await admin.open(listOf(shown), layout);
    await page.getByRole('checkbox').first().check();
    await addFilter(page, /^(No login since|Keine Anmeldung seit)$/);
    await check(page.locator('input[name=lastLoginBefore]'));
    await page.getByRole('button', { name: /Change selected|Ausgewählte ändern/ }).click();
    await page.locator('select[name=Change]').selectOption('expire');
    await check(page);
    await page.locator('select[name=Change]').selectOption('disable');
    await page.locator('dialog button[type=submit]').click();
    await check(page.getByRole('dialog').getByRole('listitem').first());
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Create account|Konto anlegen/ }).click();
    await page.locator('select[name=Start]').selectOption('password');
    await check(page);
  });

  it('are disabled using the keyboard only, the selected ones and no others', async () => {
    const group = await newGroup(2);
    const { page, dialog, keyboard } = await admin.openByKeyboard(listOf(group));
    await page.getByText('2 in all').waitFor();
    await keyboard.press(page.getByRole('table').getByRole('checkbox').nth(1), 'Space');
    await page.getByText('1 selected').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Change selected' }));
    await keyboard.type(dialog.getByLabel('Reason', { exact: true }), 'left the company');
    await keyboard.press(dialog.getByRole('button', { name: 'Preview changes' }));
    await dialog.getByText('This changes 1 account: Disable.').waitFor();
    await keyboard.press(dialog.getByRole('button', { name: 'Change the account' }));
    await dialog.getByText('Changed: 1.').waitFor();
    const states = await Promise.all(group.ids.map(isDisabled));
    assert.deepEqual(states.filter((isSo) => isSo === true).length, 1);
  });

  it('are named in the preview if they were selected, also those that the API does not name', async () => {
    const name = `Group ${site.someEmail().replaceAll(/\W/g, '')}`;
    const emails = Array.from({ length: 201 }, () => site.someEmail());
    for (const Email of emails) await admin.create('/admin/account', { Email, DisplayName: name });
    const { page, dialog } = await admin.open(listOf({ name }));
    for (const count of [50, 100, 150, 200, 201]) {
      await page.locator('[aria-busy=false]').getByRole('checkbox').first().check();
      await page.getByText(`${count} selected`).waitFor();
      if (count < 201) await page.getByRole('button', { name: 'Older' }).click();
    }
    await page.getByRole('button', { name: 'Change selected' }).click();
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText('This changes 201 accounts: Disable.').waitFor();
    assert.deepEqual(new Set(await dialog.getByRole('listitem').allTextContents()), new Set(emails));
  });

  it('get reset codes by mail, those without one are listed, and all ends when the service stops responding', async () => {
    const group = await newGroup(2);
    await admin.call('PATCH', `/admin/account/${group.ids[0]}`, { IsDisabled: true });
    const { page, dialog } = await admin.open(listOf(group));
    await page.getByText('2 in all').waitFor();
    const mailCodes = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Change all that match' }).click();
      await dialog.getByLabel('Change').selectOption('reset');
      await dialog.getByRole('button', { name: 'Preview changes' }).click();
      await dialog.getByText('A code is mailed to each of 2 accounts.').waitFor();
      await dialog.getByRole('button', { name: 'Mail 2 codes' }).click();
    };
    await mailCodes();
    await dialog.getByText('Codes mailed: 1 of 2.').waitFor();
    await dialog.getByText('cannot log in even with a new password').waitFor();
    const audit = `/admin/audit?targetId=${group.ids[1]}`;
    await eventually(async () => JSON.stringify(await admin.get(audit)).includes('account.reset-started'));
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    let asked = 0;
    await page.route('**/admin/account/*/reset-password', (route) => {
      asked += 1;
      return route.fulfill({ status: 503, body: '{}' });
    });
    await mailCodes();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().waitFor();
    assert.equal(asked, 1);
  });
});
