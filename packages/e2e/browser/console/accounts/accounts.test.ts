import assert from 'node:assert/strict';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  LOOKS,
  openTestConsole,
  startSite,
  tabOnly,
  fillConsoleSignIn,
  type Site,
  type TestConsole,
} from '../../testing/index.ts';

describe('the console’s accounts', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  let somebody: { id: string; email: string };
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
    somebody = await newUser();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const newUser = async (): Promise<{ id: string; email: string }> => {
    const email = site.someEmail();
    const { body } = await admin.call('POST', '/admin/account', {
      Email: email,
      DisplayName: 'Somebody Else',
    });
    return { id: String(body['Id']), email };
  };

  for (const look of LOOKS) {
    it(`can be used by everybody: ${look.theme}, ${look.locale}, ${look.width} px`, async () => {
      const { page } = await admin.open('/accounts', look);
      await page.getByRole('table').waitFor();
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
      for (const tab of ['', '/sessions', '/mails', '/audit']) {
        await page.goto(admin.url(`/accounts/${somebody.id}${tab}`));
        await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
        await page.locator('main section, main table, main p').first().waitFor();
        await expectNoViolations(page);
        await expectNoSidewaysScroll(page);
      }
    });
  }

  it('are found by what the address says, and "back" leads to what was there before', async () => {
    const { page } = await admin.open('/accounts');
    await page.getByRole('table').waitFor();
    await page.getByRole('main').getByLabel('Search').fill(somebody.email);
    await page.waitForURL((url) => url.searchParams.get('search') === somebody.email);
    await page.getByText('1 in all').waitFor();
    await page.getByRole('link', { name: somebody.email }).waitFor();
    await page.getByLabel('Role').selectOption('Admin');
    await page.getByText('No account matches.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: somebody.email }).click();
    await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
    assert.equal(page.url(), admin.url(`/accounts/${somebody.id}`));
  });

  it('are opened by an id that is pasted into the search, using the keyboard only', async () => {
    const own = await admin.newAdmin();
    const page = await admin.openPage();
    const keyboard = await tabOnly(page);
    await page.goto(admin.url('/accounts'));
    await keyboard.to(page.locator('input[name=Username]'));
    await fillConsoleSignIn(page, own.email);
    await page.getByRole('table').waitFor();
    await page.locator('body').press('/');
    await page.keyboard.type(somebody.id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
    await page.locator('body').press('g');
    await page.locator('body').press('a');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are changed after confirmation, and the change is shown at once', async () => {
    const { id } = await newUser();
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('nobody can log in until').waitFor();
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Done.').waitFor();
    await page.getByText('An administrator disabled the account.').waitFor();
    const { body } = await admin.call('GET', `/admin/account/${id}`);
    assert.equal(body['IsDisabled'], true);
  });

  it('become administrators only after the password was typed again', async () => {
    const { id } = await newUser();
    const { page, admin: own } = await admin.open(`/accounts/${id}`);
    await admin.forgetConfirmation(own.id);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Make an administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await again.getByLabel('Password', { exact: true }).fill('wrong horse battery');
    await again.getByRole('button', { name: 'Confirm' }).click();
    await again.getByText('This is not your current password').waitFor();
    assert.equal((await admin.call('GET', `/admin/account/${id}`)).body['Role'], 'User');
    await again.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await again.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done.').waitFor();
    assert.equal((await admin.call('GET', `/admin/account/${id}`)).body['Role'], 'Admin');
  });

  it('say what stands in the way while Admin does not answer, and go on once it does', async () => {
    const { page } = await admin.open('/accounts');
    await page.getByRole('table').waitFor();
    await page.route('**/admin/account?*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'Retry-After': '2' },
        body: JSON.stringify({
          title: 'Service unavailable',
          code: 'unavailable',
          status: 503,
          traceId: 'ab'.repeat(16),
        }),
      }),
    );
    await page.getByLabel('Role').selectOption('Guest');
    await page.getByText('Try again in').waitFor();
    await page.getByText('abababab…abab').waitFor();
    await expectNoViolations(page);
    await page.unroute('**/admin/account?*');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByText('No account matches.').waitFor();
  });
});
