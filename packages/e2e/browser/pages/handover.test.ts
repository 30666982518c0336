import assert from 'node:assert/strict';
import { PASSWORD } from '../../src/testing/index.ts';
import { startSite, type Site } from '../testing/index.ts';

describe('hand-over from an app to the account pages', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  it('keeps the session on all pages, without a second login', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    const ping = async () => assert.equal(await site.pingStatus(Token), 1);
    const { body } = await site.post('/account/handover', { Page: 'security' }, Token);
    const page = await site.openPage();
    await page.goto(String(body['Url']));
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    assert.equal(page.url(), `${site.origin}/profile/security`);
    await ping();
    await page.locator('input[name=CurrentPassword]').fill(PASSWORD);
    await page.locator('input[name=Password]').first().fill('a wholly new one');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await ping();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('This one').waitFor();
    await page.getByText('None so far.').waitFor();
    assert.equal(await page.locator('main li').count(), 1);
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByLabel('Name').fill('Ann Example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    await ping();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    assert.equal((await site.post('/account/ping', {}, Token)).body['code'], 'session_ended');
  });

  it('refuses a used code', async () => {
    const { Token } = await site.login(await site.newAccount());
    const { body } = await site.post('/account/handover', {}, Token);
    const first = await site.openPage();
    await first.goto(String(body['Url']));
    await first.getByLabel('Name').waitFor();
    const second = await site.openPage();
    await second.goto(String(body['Url']));
    await second.waitForURL('**/login?*');
    assert.ok(!second.url().includes('#'));
  });
});
