import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { addFilter, cast, confirmed, expectNoViolations, itInEveryLayout } from '../../testing/index.ts';

describe('the console’s sessions', () => {
  const { site, admin } = cast({ SINGLE_SESSION: 'false' });
  let shown: string;
  before(async () => (shown = (await signedIn(2)).email));

  const signedIn = async (count: number) => {
    const email = await site.newAccount();
    const tokens = [];
    for (let one = 0; one < count; one += 1) tokens.push((await site.login(email)).Token);
    const sessions = await admin.items<{ Id: string }>(`/admin/user-session?search=${email}&limit=200`);
    return { email, tokens, ids: sessions.map(({ Id }) => Id) };
  };
  const statusOf = async (id: string) => (await admin.get(`/admin/user-session/${id}`))['Status'];

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/sessions', layout);
    await check(page.getByRole('table'));
    await page.getByRole('table').getByRole('link').first().click();
    await check(page.getByRole('heading', { name: /History|Verlauf/ }));
    await page.getByRole('button', { name: /Change status|Status ändern/ }).click();
    await check(page.getByRole('dialog'));

    await page.goto(admin.url(`/sessions?search=${shown}`));
    await page.getByRole('checkbox').first().check();
    await addFilter(page, /^(Not seen since|Nicht gesehen seit)$/);
    await check(page.locator('input[name=lastSeenBefore]'));
    await page.getByRole('button', { name: /Change selected|Ausgewählte ändern/ }).click();
    await page.locator('dialog button[type=submit]').click();
    await check(page.getByRole('dialog').getByRole('listitem').first());
  });

  it('are ended in bulk as previewed: those that others have ended meanwhile are listed, and new ones stay', async () => {
    const { email, tokens, ids } = await signedIn(3);
    const { page, dialog } = await admin.open(`/sessions?search=${email}`);
    await page.getByText('3 in all').waitFor();
    await page.getByRole('button', { name: 'Change all that match' }).click();
    await dialog.getByLabel('Reason').fill('a lost laptop');
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await expectNoViolations(dialog.getByText('This changes 3 sessions of 1 account to: Deactivated.'));
    assert.equal(await site.pingStatus(tokens[0] ?? ''), 1);
    const ended = { SessionId: ids[0], Status: 7 };
    assert.equal((await admin.call('POST', '/admin/user-session', ended)).status, 200);
    const late = await site.login(email);
    await dialog.getByRole('button', { name: 'Change 3 sessions' }).click();
    await dialog.getByText('Changed: 2.').waitFor();
    await dialog.getByText('Not changed, because they changed after the preview: 1.').first().waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    assert.deepEqual(await Promise.all(ids.map(statusOf)), [7, 4, 4]);
    for (const token of tokens.slice(0, 2)) assert.equal(await site.pingStatus(token), 4);
    assert.equal(await site.pingStatus(late.Token), 1);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto(admin.url(`/sessions/${ids[1]}`));
    await page.getByText('a lost laptop').or(page.getByText('By an administrator')).first().waitFor();
  });

  it('are ended in two clicks, in the list and at their account, and there together in three', async () => {
    const { email, ids } = await signedIn(3);
    const { page } = await admin.open(`/sessions?search=${email}`);
    const end = (): Promise<void> =>
      confirmed(page, 'End', page.getByRole('table').getByRole('button', { name: 'End' }).first());
    await end();
    await eventually(async () => (await page.getByRole('button', { name: 'End' }).count()) === 2);
    assert.deepEqual(await Promise.all(ids.map(statusOf)), [4, 1, 1]);
    await page.goto(admin.url(`/accounts/${await admin.idOf(email)}/sessions`));
    await end();
    await eventually(async () => (await page.getByRole('button', { name: 'End' }).count()) === 1);
    assert.deepEqual(await Promise.all(ids.map(statusOf)), [4, 4, 1]);
    assert.equal(await page.getByRole('table').getByText(email).count(), 0);
    await page.getByRole('button', { name: 'Actions' }).click();
    await confirmed(page, 'Sign out everywhere');
    await page.getByText(`${email} is signed out everywhere.`).waitFor();
    assert.deepEqual(await Promise.all(ids.map(statusOf)), [4, 4, 4]);
  });

  it('cannot be changed all while a filter is invalid', async () => {
    const { page } = await admin.open('/sessions?ipAddress=127.0.0.0%2F8');
    await page.getByRole('button', { name: 'Change all that match' }).waitFor();
    await page.getByLabel('IP address or network', { exact: true }).fill('nonsense');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Change all that match' }).count(), 0);
  });
});

describe('sign-ins in the console', () => {
  const { site, admin } = cast();
  let email: string;
  let id: string;
  before(async () => {
    ({ id, email } = await admin.newUser());
    await site.login(email);
    await site.call('POST', '/account/login', { Username: email, Password: 'not the password' });
    await eventually(async () => (await admin.items(`/admin/sign-in?userId=${id}`)).length === 2);
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/sign-ins?userId=${id}`, layout);
    await check(page.getByRole('cell', { name: /Wrong password|Falsches Passwort/ }));
    await page.getByRole('table').getByRole('link', { name: email }).first().click();
    await page.waitForURL(`**/accounts/${id}`);
    await page
      .getByRole('link', { name: /^(Sign-ins|Anmeldungen)$/ })
      .last()
      .click();
    await check(page.getByRole('cell', { name: /Wrong password|Falsches Passwort/ }));
  });
});
