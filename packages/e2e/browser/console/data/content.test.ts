import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, chooseAction, confirmed, itInEveryLayout, submit } from '../../testing/index.ts';

const LIVE = { Kind: 'LiveChannel' };

describe('content in the console', () => {
  const { site, admin } = cast();
  let contentId: string;
  let member: string;
  before(async () => {
    contentId = await admin.newContent('The council meets', LIVE);
    member = await site.newAccount();
    await invite(contentId, member, site.someEmail());
  });

  const invite = (id: string, ...Emails: string[]) =>
    admin.call('POST', `/admin/content-definition/${id}/invite`, { Emails });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/content', layout);
    await check(page.getByRole('table'));
    await page.goto(admin.url(`/content/${contentId}`));
    await check(page.getByRole('link', { name: member }));
    await page.getByRole('button', { name: /^(Invite people|Personen einladen)$/ }).click();
    await check(page.locator('dialog textarea'));
  });

  it('is created, and shared by pasting addresses, using the keyboard only', async () => {
    const { page, dialog, keyboard, admin: own } = await admin.openByKeyboard('/content');
    await keyboard.press(page.getByRole('button', { name: 'Create content' }));
    await keyboard.type(page.getByLabel('Name', { exact: true }), 'Evening news');
    await keyboard.type(page.getByLabel('Owner', { exact: true }), own.email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Evening news' }).waitFor();
    await page.getByRole('definition').filter({ hasText: own.email }).waitFor();
    const stranger = site.someEmail();
    await keyboard.press(page.getByRole('button', { name: 'Invite people' }));
    await keyboard.type(page.getByLabel('Email addresses'), `Ann <${stranger}>, ${member}; nobody`);
    await keyboard.press(page.getByRole('button', { name: 'Invite 2 people' }));
    await page.getByText('These are not email addresses: nobody').waitFor();
    await page.getByLabel('Email addresses').fill(`Ann <${stranger}>, ${member}`);
    await keyboard.press(page.getByRole('button', { name: 'Invite 2 people' }));
    await dialog.getByRole('row').filter({ hasText: stranger }).getByText('Invited by mail').waitFor();
    await dialog.getByRole('row').filter({ hasText: member }).getByText('Has access now').waitFor();
    await keyboard.press(dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('row').filter({ hasText: stranger }).getByText('Invited', { exact: true }).waitFor();
  });

  it('is revoked from one person, changed, and deleted after showing how many have access', async () => {
    const id = await admin.newContent('Short-lived', LIVE);
    const [first, second] = [await site.newAccount(), site.someEmail()];
    await invite(id, first, second, await site.newAccount());
    const { page, dialog } = await admin.open(`/content/${id}`);
    await page.getByRole('button', { name: `Actions for ${first}` }).click();
    await confirmed(page, 'Revoke access');
    await page.getByText('Access has been revoked.').waitFor();
    await page.getByRole('link', { name: first }).waitFor({ state: 'detached' });
    await chooseAction(page, 'Edit');
    await submit(page, { Owner: 'nobody@example.com' }, 'Save changes');
    await page.locator('input[name=OwnerId][aria-invalid=true]').waitFor();
    await submit(page, { Owner: member }, 'Save changes');
    await page.getByRole('definition').filter({ hasText: member }).waitFor();
    await chooseAction(page, 'Delete content');
    await dialog.getByText('lose access: 1. Invitations that become invalid: 1.').waitFor();
    await submit(dialog, { 'Type Short-lived to continue': 'Short-lived' }, 'Delete content');
    await page.getByText('The content has been deleted.').waitFor();
    await page.waitForURL(/\/console\/content$/);
    assert.equal((await admin.call('GET', `/admin/content-definition/${id}`)).status, 404);
  });

  it('shows who is watching a live channel as they join, and restricts the chat of one', async () => {
    const id = await admin.newContent('On air', LIVE);
    const { page } = await admin.open(`/content/${id}`);
    await page.getByText('Nobody is watching at the moment.').waitFor();
    await invite(id, member);
    const { Token } = await site.login(member);
    const ping = async () =>
      (await site.post('/account/ping', { ContentDefinitionId: id }, Token)).body['PingStatus'];
    assert.equal(await ping(), 1);
    const watching = page.getByRole('region', { name: 'Watching now' });
    await watching.getByRole('link', { name: member }).waitFor({ timeout: 20_000 });
    await confirmed(page, 'Switch chat off');
    await watching.getByText('Chat off', { exact: true }).waitFor();
    await eventually(async () => (await ping()) === 2);
  });
});
