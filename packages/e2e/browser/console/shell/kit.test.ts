import assert from 'node:assert/strict';
import { addFilter, openTestConsole, startSite, type Site, type TestConsole } from '../../testing/index.ts';

/** What every screen of the console has from the kit (`packages/web/src/console/kit`). */
describe('the kit of the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  it('begins a dialog in its first field, and where there is none at the button that cancels', async () => {
    const { page, admin: own } = await admin.open('/accounts');
    const focused = page.locator(':focus');
    await page.getByRole('button', { name: 'Create account' }).click();
    assert.equal(await focused.getAttribute('name'), 'Email');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await focused.and(page.getByRole('button', { name: 'Create account' })).waitFor();
    await page.goto(admin.url(`/accounts/${own.id}`));
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Require a second factor' }).click();
    await focused.and(page.getByRole('button', { name: 'Cancel' })).waitFor();
  });

  it('names a dialog after the status that is chosen in it', async () => {
    const { page, admin: own } = await admin.open();
    await page.goto(admin.url(`/accounts/${own.id}`));
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Another status …' }).click();
    await page.getByRole('dialog', { name: 'Change the status of sessions' }).waitFor();
  });

  it('adds a filter with a time a while ago, which the address keeps as that time', async () => {
    const { page } = await admin.open('/sessions');
    await addFilter(page, 'Signed in from');
    const chosen = page.locator('select[name=createdFrom]');
    await chosen.selectOption('Last hour');
    await page.waitForURL(/createdFrom=/);
    const at = new URL(page.url()).searchParams.get('createdFrom') ?? '';
    assert.ok(Math.abs(Date.now() - Date.parse(at) - 3_600_000) < 60_000, at);
    assert.equal(await chosen.inputValue(), at);
    await page.getByRole('button', { name: 'Remove the filter Signed in from' }).click();
    await page.waitForURL((url) => url.search === '');
    assert.equal(await chosen.count(), 0);
  });
});
