import assert from 'node:assert/strict';
import { cast, fillLogin, itInEveryLayout } from '../testing/index.ts';

describe('hand-over from an app to the account pages', () => {
  const { site } = cast();

  const handOver = async (email: string) => {
    const { Token } = await site.login(email);
    const { body } = await site.post('/account/handover', { Page: 'security' }, Token);
    return { Token, url: String(body['Url']) };
  };

  it('keeps the session on all pages, without a second login', async () => {
    const email = await site.newAccount();
    const { Token, url } = await handOver(email);
    const ping = async () => assert.equal(await site.pingStatus(Token), 1);
    const page = await site.openAt(url);
    await page.getByRole('button', { name: `Continue as ${email}` }).click();
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    assert.equal(page.url(), `${site.origin}/profile/security`);
    await ping();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('This one').waitFor();
    await page.getByText('None so far.').waitFor();
    assert.equal(await page.locator('main ul').first().locator('li').count(), 1);
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('banner').getByText(email).waitFor();
    await ping();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?reason=signed_out');
    assert.equal((await site.post('/account/ping', {}, Token)).body['code'], 'session_ended');
  });

  it('asks whose account it is before it sets a cookie, so that a link signs nobody in to a stranger’s', async () => {
    const [own, strangers] = [await site.newAccount(), await site.newAccount()];
    const page = await site.openAt((await handOver(strangers)).url);
    await page.getByRole('button', { name: `Continue as ${strangers}` }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    assert.equal(page.url(), `${site.origin}/profile/security`);
    await page.getByRole('button', { name: 'Sign in another way' }).click();
    await page.waitForURL('**/login?*');
    await fillLogin(page, own);
    await page.getByText(own).first().waitFor();
    await page.goto((await handOver(strangers)).url);
    await page.getByText('This browser is signed in with another account').waitFor();
  });

  itInEveryLayout('asks legibly for the longest address', async (layout, check) => {
    const email = `${'long.'.repeat(9)}${Date.now()}@${'sub.'.repeat(8)}example.com`;
    await site.newAccount(email);
    const page = await site.openAt((await handOver(email)).url, layout);
    await check(page.getByRole('button', { name: email }));
  });
});
