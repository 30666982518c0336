import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, itInEveryLayout, logIn } from '../../testing/index.ts';

describe('the system, single sign-on and the own account in the console', () => {
  const { site, admin } = cast();

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/system', layout);
    await check(page.getByText('DATABASE_URL'));
    for (const path of ['/sign-on', '/profile']) {
      await page.goto(admin.url(path));
      await check(page.locator('main section dl').first());
    }
  });

  it('shows the state of the installation without secrets, and checks again by keyboard', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/system');
    await rowOf(page, 'Redis').getByText('Reachable').waitFor();
    await rowOf(page, 'DATABASE_URL').getByText('set', { exact: true }).waitFor();
    await rowOf(page, 'mail.dead').getByText('0').first().waitFor();
    await page.getByText('agrees with the server').waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith('/admin/system'));
    await keyboard.press(page.getByRole('button', { name: 'Check again' }));
    assert.equal((await asked).status(), 200);
  });

  it('warns that the browser’s clock is wrong', async () => {
    const page = await site.openPage();
    await page.clock.install({ time: Date.now() - 90_000 });
    const { email } = await admin.newAdmin();
    await logIn(page, email, admin.url('/system'));
    await page.getByText(/differ by (?:89|9\d) seconds/).waitFor();
    await page.getByText(/(?:89|9\d) seconds behind the server/).waitFor();
  });

  it('copies a report for a bug, with settings and without secrets', async () => {
    const { page } = await admin.open('/system');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy report' }).click();
    await page.getByText('The report is in the clipboard.').waitFor();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(report, /^Gatehouse \d/);
    assert.match(report, /^DATABASE_URL=set$/m);
    assert.match(report, /^Queue mail: \d+ messages, \d+ consumers$/m);
    assert.ok(!report.includes(site.stack.facts.databaseUrl));
  });

  it('shows identity providers, and tries a sign-on in a new tab', async () => {
    const { page } = await admin.open('/sign-on');
    const { idpUrl = '' } = site.stack.facts;
    const card = page.getByRole('region', { name: 'Demo provider', exact: true });
    await card.getByRole('button', { name: /Callback address/ }).waitFor();
    const link = card.getByRole('link', { name: 'Test sign-on' }).first();
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    const address = new URL((await link.getAttribute('href')) ?? '', admin.url());
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(15_000) });
    assert.equal(answer.status, 303);
    assert.ok(answer.headers.get('location')?.startsWith(idpUrl));
  });

  it('remembers the chosen colors, and leads to the account pages', async () => {
    const { page, admin: own } = await admin.open();
    await page.getByRole('button', { name: `Signed in as ${own.email}` }).click();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('main').getByRole('link', { name: own.email }).waitFor();
    await page.getByLabel('Dark').check();
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: own.email }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
    await page.getByLabel('Same as the browser').check();
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), undefined);
    const pages = page.getByRole('link', { name: 'Open account pages' });
    assert.equal(await pages.getAttribute('href'), `${site.stack.facts.pagesUrl}/profile`);
    await page.getByRole('main').getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
  });

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
});
