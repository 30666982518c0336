import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import {
  openTestConsole,
  startSite,
  tabOnly,
  type Site,
  type TestConsole,
  expectUsable,
  itInEveryLook,
} from '../../testing/index.ts';

describe('the overview of the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
    await site.post('/account/login', { Username: await site.newAccount(), Password: 'wrong' });
    // Counts are written every ten seconds.
    await eventually(async () => {
      const counts = JSON.stringify((await admin.call('GET', '/admin/statistics')).body);
      return counts.includes('login.password') && counts.includes('refused.password');
    });
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  itInEveryLook('can be used by everybody', async (look) => {
    const { page } = await admin.open('', look);
    await page.locator('canvas').first().waitFor();
    await page.locator('main table').last().waitFor();
    await expectUsable(page);
  });

  it('links from a number to its list, and from a chart to its table, by keyboard', async () => {
    const { email } = await admin.newAdmin();
    const page = await admin.openPage();
    const keyboard = await tabOnly(page);
    await page.goto(admin.url());
    await keyboard.signIn(email);
    const logins = page.getByRole('figure', { name: 'Logins', exact: true });
    await logins.locator('canvas').waitFor();
    await keyboard.press(logins.locator('summary'));
    const newest = logins.getByRole('row').nth(1);
    await newest.waitFor();
    assert.ok(Number(await newest.getByRole('cell').first().textContent()) > 0);
    await page.reload();
    await keyboard.press(page.getByRole('main').getByRole('link', { name: /^Accounts/ }));
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await keyboard.expectNoPointer();
  });

  it('links from the logins of a bar to the sessions that they opened', async () => {
    const { page } = await admin.open('');
    const logins = page.getByRole('figure', { name: 'Logins', exact: true });
    await logins.getByText('Show as a table').click();
    await logins.getByRole('rowheader').first().getByRole('link').click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    assert.match(page.url(), /createdFrom=.*createdTo=/);
    await page.getByText(/^\d+ in all$/).waitFor();
    await page.getByLabel('Signed in from').waitFor();
  });

  it('keeps the period in the URL', async () => {
    const { page } = await admin.open();
    const week = page.getByRole('button', { name: '7 days' });
    await week.click();
    await page.waitForURL(admin.url('?range=week'));
    const refused = page.getByRole('figure', { name: 'Refused logins' });
    await refused.locator('summary').click();
    await eventually(async () => (await refused.getByRole('row').count()) === 8);
    await page.goBack();
    await eventually(async () => (await week.getAttribute('aria-pressed')) === 'false');
  });

  it('shows which parts failed to load, and the rest as usual', async () => {
    const { page } = await admin.open('/accounts');
    await page.route('**/admin/statistics?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', title: 'Away', traceId: 'a'.repeat(32) } }),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('alert').getByText('cannot answer right now').waitFor();
    await page.getByText('Active sessions').waitFor();
    await page.unroute('**/admin/statistics?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('figure').first().waitFor();
  });
});
