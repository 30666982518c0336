import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import {
  itInEveryLayout,
  openTestConsole,
  startSite,
  tabOnly,
  type Site,
  type TestConsole,
} from '../../testing/index.ts';

describe('sign-ins in the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  let email: string;
  let id: string;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
    email = await site.newAccount();
    const { body } = await admin.call('GET', `/admin/account?email=${encodeURIComponent(email)}`);
    id = (body['Items'] as { Id: string }[])[0]?.Id ?? ''; // public-openapi.json
    await site.login(email);
    await site.call('POST', '/account/login', { Username: email, Password: 'not the password' });
    const isRecorded = async () =>
      (await admin.call('GET', `/admin/sign-in?userId=${id}&count=true`)).body['Count'] === 2;
    await eventually(isRecorded);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/sign-ins?userId=${id}`, layout);
    await page.getByRole('cell', { name: /Wrong password|Falsches Passwort/ }).waitFor();
    await check(page);
  });

  it('are filtered using the keyboard only, and lead to the account and its own list', async () => {
    const { email: own } = await admin.newAdmin();
    const page = await admin.openPage();
    const keyboard = await tabOnly(page);
    await page.goto(admin.url(`/sign-ins?userId=${id}`));
    await keyboard.signIn(own);
    await page.getByRole('table').getByText('Signed in', { exact: true }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await keyboard.press(page.getByRole('button', { name: 'Result', exact: true }));
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
