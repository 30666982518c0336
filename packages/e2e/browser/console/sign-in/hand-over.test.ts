import assert from 'node:assert/strict';
import { barOf, cast, itInEveryLayout } from '../../testing/index.ts';

describe('coming to the console from an app', () => {
  const { site, admin } = cast();

  /** The app of an administrator, and the URL with which it opens the console. */
  const openApp = async () => {
    const { email } = await admin.newAdmin();
    const { Token } = await site.login(email);
    const { body } = await admin.call('POST', '/console/handover', {}, Token);
    const Url = String(body['Url']);
    // With the host name under which the other tests sign in to the console.
    return { email, Token, Url: Url.replace(new URL(Url).origin, new URL(admin.url()).origin) };
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await admin.openPage(layout);
    await page.goto((await openApp()).Url);
    await page.getByRole('button', { name: /Continue|Weiter/ }).waitFor();
    await check(page);
  });

  it('asks once, continues in the app’s session, and leaves no code in the URL', async () => {
    const { Token, Url } = await openApp();
    const page = await admin.openPage();
    await page.goto(Url);
    const button = page.getByRole('button', { name: 'Continue' });
    await button.waitFor();
    assert.equal(page.url(), admin.url());
    assert.deepEqual(await page.context().cookies(), []);
    await button.click();
    await barOf(page).waitFor({ state: 'attached' });
    assert.equal(await site.pingStatus(Token), 1);
    await page.reload();
    await barOf(page).waitFor({ state: 'attached' });
  });

  it('does not replace the session of another account, and explains what to do', async () => {
    const { page } = await admin.open();
    const { Url } = await openApp();
    await page.goto('about:blank');
    await page.goto(Url);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('signed in to the console with another account').waitFor();
    await page.getByRole('button', { name: 'Sign in another way' }).click();
    await barOf(page).waitFor({ state: 'attached' });
  });
});
