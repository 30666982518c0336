import assert from 'node:assert/strict';
import { addFilter, barOf, cast, itInEveryLayout, signOnWith, submit, tabOnly } from '../../testing/index.ts';
import type { Page } from 'playwright-core';

describe('signing in to the console', () => {
  const { site, admin } = cast();

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await site.openAt(admin.url(), layout);
    await check(page.locator('button[type=submit]:not([disabled])'));
  });

  it('works using the keyboard only without a refused request, opens the requested screen, and exposes nothing to scripts', async () => {
    const { email } = await admin.newAdmin();
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(admin.url('/accounts?role=Admin'));
    await page.getByText('Signing in here ends your other session.').waitFor();
    await page.locator('input[name=Username]:focus').waitFor();
    assert.equal(await page.title(), 'Sign in to the console – Gatehouse');
    await keyboard.signIn(email);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    // The browser would warn of one.
    assert.deepEqual(refused, []);
    assert.equal(page.url(), admin.url('/accounts?role=Admin'));
    const exposed = await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    assert.deepEqual(exposed, ['', 0, 0]);
    const [cookie] = await page.context().cookies();
    const properties = [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.expires];
    assert.deepEqual(properties, ['gatehouse-console', true, 'Strict', -1]);
  });

  it('opens also while the gateway or an instance of version 1.0 answers, which takes the question for a screen', async () => {
    const { page } = await admin.open();
    const aPage = { contentType: 'text/html', body: '<!doctype html>' };
    for (const answer of [{ status: 404 }, aPage]) {
      await page.route('**/console/visitor', (route) => route.fulfill(answer));
      await page.reload();
      await barOf(page).waitFor({ state: 'attached' });
    }
    await page.context().clearCookies();
    await page.reload();
    await page.getByText('Signing in here ends your other session.').waitFor();
  });

  it('takes a second factor using the keyboard only', async () => {
    const { email } = await admin.newAdmin();
    const app = await site.setUpApp(email);
    const { page, keyboard } = await site.openByKeyboard(admin.url('/sessions'));
    await keyboard.signIn(email);
    const code = page.locator('input[name=TwoFactorCode]');
    await code.waitFor();
    await keyboard.type(code, await app.nextCode());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  });

  it('admits administrators only, and does not end other sessions', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    const page = await site.openAndLogIn(email, admin.url());
    await page.getByText('not an administrator').waitFor();
    assert.equal(await site.pingStatus(Token), 1);
    assert.deepEqual(await page.context().cookies(), []);
  });

  it('shows why the session has ended with the next answer', async () => {
    const { page, admin: own } = await admin.open('/accounts');
    await page.getByRole('table').waitFor();
    await admin.call('PATCH', `/admin/account/${own.id}`, { Role: 'User' });
    await addFilter(page, 'Role');
    await page.locator('select[name=role]').selectOption('Admin');
    await page.getByText('no longer an administrator').waitFor();
  });

  it('ends with signing out', async () => {
    const { page } = await admin.open();
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    await page.reload();
    await page.getByLabel('Email address').waitFor();
    assert.equal(await barOf(page).count(), 0);
  });

  const openApp = async () => {
    const { email } = await admin.newAdmin();
    const { Token } = await site.login(email);
    const { body } = await admin.call('POST', '/console/handover', {}, Token);
    const Url = String(body['Url']);
    // With the host name under which the other tests sign in to the console.
    return { email, Token, Url: Url.replace(new URL(Url).origin, new URL(admin.url()).origin) };
  };

  itInEveryLayout('from an app can be used by everybody', async (layout, check) => {
    const page = await site.openAt((await openApp()).Url, layout);
    await check(page.getByRole('button', { name: /Continue|Weiter/ }));
  });

  it('from an app asks once, continues in the app’s session, and leaves no code in the URL', async () => {
    const { Token, Url } = await openApp();
    const page = await site.openAt(Url);
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

  /** The URL to which the provider sends browsers back. */
  const urlOf = (path = ''): string => `${site.stack.facts.adminUrl}/console${path}`;
  const signOn = async (page: Page, email: string, path = ''): Promise<void> => {
    await page.goto(urlOf(path));
    await signOnWith(page, email);
  };

  it('with a provider opens the requested screen, and leaves no code in the URL or the tab, also at an IP address', async () => {
    assert.equal(new URL(urlOf()).hostname, '127.0.0.1');
    const { email } = await admin.newAdmin();
    const page = await site.openAt(urlOf('/accounts?role=Admin'));
    const atName = page.getByRole('link', { name: `Open ${admin.url('/accounts')}` });
    assert.equal(await atName.getAttribute('href'), admin.url('/accounts?role=Admin'));
    await signOn(page, email, '/accounts?role=Admin');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    assert.equal(page.url(), urlOf('/accounts?role=Admin'));
    const exposed = await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    assert.deepEqual(exposed, ['', 0, 0]);
  });

  it('with a provider confirms a dangerous action of a user without a password by signing on again', async () => {
    const { id, email } = await admin.newAdmin();
    const page = await site.openPage();
    await signOn(page, email);
    await barOf(page).waitFor({ state: 'attached' });
    await admin.removePassword(id);
    await site.forgetConfirmation(email);
    await page.goto(urlOf('/tokens'));
    const create = async () => {
      await page.getByRole('button', { name: 'Create token' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Role').selectOption('Admin');
      await submit(dialog, { Name: 'Everything' }, 'Create token');
    };
    await create();
    await signOnWith(page, email);
    await page.getByText('Your identity is confirmed').waitFor();
    assert.equal(page.url(), urlOf('/tokens'));
    await create();
    await page.getByRole('region', { name: 'Token', exact: true }).waitFor();
  });
});
