import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, itInEveryLayout } from '../../testing/index.ts';

describe('sign-ins in the console', () => {
  const { site, admin } = cast();
  let email: string;
  let id: string;
  before(async () => {
    ({ id, email } = await admin.newUser());
    await site.login(email);
    await site.call('POST', '/account/login', { Username: email, Password: 'not the password' });
    const isRecorded = async () =>
      (await admin.call('GET', `/admin/sign-in?userId=${id}&count=true`)).body['Count'] === 2;
    await eventually(isRecorded);
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/sign-ins?userId=${id}`, layout);
    await page.getByRole('cell', { name: /Wrong password|Falsches Passwort/ }).waitFor();
    await check(page);
  });

  it('are filtered using the keyboard only, and lead to the account and its own list', async () => {
    const { page, keyboard } = await admin.openByKeyboard(`/sign-ins?userId=${id}`);
    await page.getByRole('table').getByText('Signed in', { exact: true }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await keyboard.press(page.getByRole('button', { name: 'Result', exact: true }));
    await page.locator('select[name=result]:open').waitFor();
    await keyboard.choose(page.locator('select[name=result]'), 'Refused');
    await page.keyboard.press('Enter');
    await page.getByText('1 in all').waitFor();
    assert.match(page.url(), /result=Refused/);
    await keyboard.press(page.getByRole('table').getByRole('link', { name: email }));
    await page.waitForURL(`**/accounts/${id}`);
    await keyboard.press(page.getByRole('link', { name: 'Sign-ins' }).last());
    await page.getByRole('cell', { name: /Wrong password/ }).waitFor();
    await keyboard.expectNoPointer();
  });

  it('are linked from each identity provider', async () => {
    const { page } = await admin.open('/sign-on');
    await page.getByRole('link', { name: 'Refused sign-ons' }).first().click();
    await page.waitForURL('**/sign-ins?provider=demo&result=Refused');
    await page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
    assert.equal(await page.locator('select[name=provider]').inputValue(), 'demo');
  });
});
