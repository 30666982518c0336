import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import {
  cast,
  chooseAction,
  confirmed,
  downloaded,
  expectNoViolations,
  itInEveryLayout,
} from '../../testing/index.ts';
import { PASSWORD } from '../../../src/testing/index.ts';

describe('export and erasure in the console', () => {
  const { site, admin } = cast();

  const stateOf = async ({ id }: { id: string }) =>
    (await admin.items<{ State: string }>(`/admin/erasure?userId=${id}`))[0]?.State;
  const erase = ({ id }: { id: string }, body: object = {}) =>
    admin.call('DELETE', `/admin/account/${id}`, body);

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const [pending, done, owner] = [await admin.newUser(), await admin.newUser(), await admin.newUser()];
    await erase(pending);
    await erase(done, { After: new Date().toISOString() });
    await eventually(async () => (await stateOf(done)) === 'Erased', 20);
    await admin.newContent('Minutes', { OwnerId: owner.id });
    const { page } = await admin.open('/erasures', layout);
    await check(page.getByRole('table'));
    await page.goto(admin.url(`/accounts/${pending.id}`));
    await check(page.getByRole('button', { name: /Restore account|Löschung abbrechen/ }));
    await page.goto(admin.url(`/accounts/${owner.id}`));
    await page.getByRole('button', { name: /^(Actions|Aktionen)$/ }).click();
    await page.getByRole('button', { name: /^(Erase account|Konto löschen)$/ }).click();
    await check(page.getByRole('dialog').getByRole('radio').first());
  });

  it('an account is exported as a file, after the password', async () => {
    const ann = await admin.newUser();
    const { page, admin: me } = await admin.open(`/accounts/${ann.id}`);
    await site.forgetConfirmation(me.email);
    await chooseAction(page, 'Export');
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    const { name, text } = await downloaded(page, () => page.keyboard.press('Enter'));
    assert.equal(name, `account-${ann.id}.json`);
    assert.ok(text.includes(ann.email));
    await page.getByText('is in your downloads').waitFor();
  });

  it('an account is erased using the keyboard only after typing its email, and listed by its id', async () => {
    const ben = await admin.newUser();
    const { page, keyboard, admin: me } = await admin.openByKeyboard(`/accounts/${ben.id}`);
    await keyboard.press(page.getByRole('button', { name: 'Actions' }));
    await keyboard.press(page.getByRole('button', { name: 'Erase account' }));
    const dialog = page.getByRole('dialog', { name: 'Erase account' });
    await dialog.getByLabel('When').selectOption('now');
    await keyboard.type(dialog.getByLabel('Reason'), 'Asked by letter');
    await keyboard.type(dialog.getByLabel('to continue'), me.email);
    await keyboard.press(dialog.getByRole('button', { name: 'Erase account' }));
    await dialog.getByText('This is not the email address of the account').first().waitFor();
    assert.equal(await stateOf(ben), undefined);
    await dialog.getByLabel('to continue').fill(ben.email);
    await keyboard.press(dialog.getByRole('button', { name: 'Erase account' }));
    await page.getByText('The account is closed and will be erased.').waitFor();
    await eventually(async () => (await stateOf(ben)) === 'Erased', 20);
    await page.goto(admin.url(`/audit?targetId=${ben.id}`));
    await keyboard.press(page.getByRole('link', { name: 'Account erased' }));
    await keyboard.press(page.getByRole('link', { name: 'Erasure of the account' }));
    await page.getByRole('cell', { name: 'Erased', exact: true }).waitFor();
    assert.ok(!(await page.content()).includes(ben.email));
    await expectNoViolations(page);
  });

  it('the content of an erased account gets the chosen owner, who must still be able to log in', async () => {
    const [ann, ben, eve] = [await admin.newUser(), await admin.newUser(), await admin.newUser()];
    const content = await admin.newContent('Minutes', { OwnerId: ann.id });
    const { page, dialog } = await admin.open(`/accounts/${ann.id}`);
    const choose = async ({ email }: { email: string }) => {
      await dialog.getByLabel('New owner of its content').fill(email);
      await dialog.getByRole('radio', { name: email }).check();
    };
    await chooseAction(page, 'Erase account');
    await dialog.getByLabel('When').selectOption('now');
    await dialog.getByLabel('to continue').fill(ann.email);
    await choose(ben);
    await admin.call('PATCH', `/admin/account/${ben.id}`, { IsDisabled: true });
    await dialog.getByRole('button', { name: 'Erase account' }).click();
    await dialog.getByText('Must be another account that can log in').waitFor();
    await choose(eve);
    await dialog.getByRole('button', { name: 'Erase account' }).click();
    await page.getByText('The account is closed and will be erased.').waitFor();
    await eventually(async () => (await stateOf(ann)) === 'Erased', 20);
    assert.equal((await admin.get(`/admin/content-definition/${content}`))['OwnerId'], eve.id);
  });

  it('an erasure shows who ordered it, cannot be ordered again, and is canceled, so that the owner logs in again', async () => {
    const eve = await admin.newUser();
    await erase(eve);
    const { page } = await admin.open(`/accounts/${eve.id}`);
    await page.getByText('This account will be erased.').waitFor();
    await page.getByText('Set by').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Export' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Erase account' }).count(), 0);

    await page.goto(admin.url(`/erasures?userId=${eve.id}`));
    await confirmed(page, 'Restore account');
    await page.getByText('The account is restored.').waitFor();
    await page.getByRole('cell', { name: 'Cancelled' }).waitFor();
    await site.login(eve.email);
  });
});
