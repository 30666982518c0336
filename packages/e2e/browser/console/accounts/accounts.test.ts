import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import {
  addFilter,
  cast,
  expectNoViolations,
  itInEveryLayout,
  type Person,
  promote,
  submit,
} from '../../testing/index.ts';

describe('the console’s accounts', () => {
  const { site, admin } = cast();
  let somebody: Person;
  before(async () => (somebody = await newUser()));

  const newUser = async (): Promise<Person> => {
    const email = site.someEmail();
    const { id } = await admin.create('/admin/account', { Email: email, DisplayName: 'Somebody Else' });
    return { id, email };
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/accounts', layout);
    await check(page.getByRole('table'));
    for (const tab of ['', '/sessions', '/mails', '/audit']) {
      await page.goto(admin.url(`/accounts/${somebody.id}${tab}`));
      await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
      await check(page.locator('main section, main table, main p').first());
    }
  });

  it('are found by the filters in the URL, and "back" restores the previous ones', async () => {
    const { page } = await admin.open('/accounts');
    await page.getByRole('table').waitFor();
    await page.getByRole('main').getByLabel('Search').fill(somebody.email);
    await page.waitForURL((url) => url.searchParams.get('search') === somebody.email);
    await page.getByText('1 in all').waitFor();
    await page.getByRole('link', { name: somebody.email }).waitFor();
    await addFilter(page, 'Role');
    await page.locator('select[name=role]').selectOption('Admin');
    await page.getByText('No account matches.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: somebody.email }).click();
    await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
    assert.equal(page.url(), admin.url(`/accounts/${somebody.id}`));
  });

  it('are suggested while one types, chosen with the arrows, and an address leads to what came from it', async () => {
    const user = await newUser();
    const { page } = await admin.open('/audit');
    await page.locator('body').press('/');
    await page.keyboard.type(user.email.slice(0, 12));
    await expectNoViolations(page.getByRole('option', { name: user.email }));
    await page.getByRole('combobox', { name: 'Search' }).fill(user.email);
    await page.getByRole('option').filter({ hasText: user.email }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(admin.url(`/accounts/${user.id}`));
    await page.getByRole('heading', { name: 'Somebody Else' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('203.0.113.7');
    await page.getByRole('option', { name: 'Sign-ins from 203.0.113.7' }).click();
    await page.waitForURL(admin.url('/sign-ins?ipAddress=203.0.113.7'));
  });

  it('are found by their ids after their erasure, as are invitations and what was deleted', async () => {
    const { page } = await admin.open('/accounts');
    const paste = async (id: string): Promise<void> => {
      await page.locator('body').press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill(id);
      await page.keyboard.press('Enter');
    };
    const gone = await newUser();
    await admin.call('DELETE', `/admin/account/${gone.id}`, { After: new Date().toISOString() });
    await eventually(async () => (await admin.call('GET', `/admin/account/${gone.id}`)).status === 404, 20);
    await paste(gone.id);
    await page.waitForURL(admin.url(`/erasures?userId=${gone.id}`));
    await page.getByText('the ID of an account that was erased').waitFor();
    await page.getByRole('table').getByText('Erased', { exact: true }).waitFor();

    const content = await admin.newContent('Minutes');
    const invited = site.someEmail();
    await admin.call('POST', `/admin/content-definition/${content}/invite`, { Emails: [invited] });
    const list = `/admin/invitation?contentDefinitionId=${content}`;
    const [invitation] = await admin.items<{ Id: string }>(list);
    await paste(invitation?.Id ?? '');
    await page.waitForURL(admin.url(`/invitations?id=${invitation?.Id}`));
    await page.getByRole('link', { name: invited }).waitFor();
    await admin.call('DELETE', `/admin/content-definition/${content}`);
    await paste(content);
    await page.waitForURL(admin.url(`/audit?targetId=${content}`));
    await page.getByText('the changes of what has (or had) this ID').waitFor();
  });

  it('become administrators only after the password was typed again', async () => {
    const { id } = await newUser();
    const { page, admin: own } = await admin.open(`/accounts/${id}`);
    await site.forgetConfirmation(own.email);
    const again = await promote(page);
    await submit(again, { Password: 'wrong horse battery' }, 'Confirm');
    await again.getByText('This is not your current password').waitFor();
    assert.equal((await admin.get(`/admin/account/${id}`))['Role'], 'User');
    await submit(again, { Password: 'correct horse battery' }, 'Confirm');
    await page.getByText(/is an administrator\.$/).waitFor();
    assert.equal((await admin.get(`/admin/account/${id}`))['Role'], 'Admin');
  });

  it('show an error while Admin does not respond, and recover', async () => {
    const { page } = await admin.open('/accounts');
    await page.getByRole('table').waitFor();
    const answer = { status: 503, contentType: 'application/problem+json', headers: { 'Retry-After': '2' } };
    const problem = { title: 'Unavailable', code: 'unavailable', status: 503, traceId: 'ab'.repeat(16) };
    await page.route('**/admin/account?*', (route) => route.fulfill({ ...answer, json: problem }));
    await page.getByRole('main').getByLabel('Search').fill(site.someEmail());
    await page.getByText('Try again in').waitFor();
    await expectNoViolations(page.getByText('abababab…abab'));
    await page.unroute('**/admin/account?*');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByText('No account matches.').waitFor();
  });
});
