import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, itInEveryLayout, openRow, otherSite, PASSWORD, submit } from '../testing/index.ts';

describe('pages of a login with a mailed code', () => {
  const content = otherSite((_, response) =>
    response.end('<title>Content</title><link rel="icon" href="data:,"><h1>The board meets</h1>'),
  );
  const { site } = cast(() => ({
    EMAIL_LOGIN: 'users',
    CONTENT_URL: `${content.url}/{ContentDefinitionId}`,
  }));

  const ask = async (email: string, path = '/login') => {
    const page = await site.openAt(path);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await submit(page, { 'Email address': email }, 'Email me a code');
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    return page;
  };
  const enter = async (page: Page, code: string, path: string): Promise<void> => {
    await submit(page, { 'Code from the email': code }, 'Sign in');
    await page.waitForURL(`**${path}`);
  };
  const codeIn = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('Code') ?? '';

  it('lead from an invitation to the content with two clicks, and nothing typed, and from the profile', async () => {
    const { email, link } = await site.invited();
    const page = await site.openAt(link);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL(`${content.url}/${site.stack.facts.seed.contentDefinitionId}`);
    await page.getByRole('heading', { name: 'The board meets' }).waitFor();
    await page.goto(`${site.origin}/profile`);
    await page.getByText(email).first().waitFor();
    await page.getByRole('region', { name: 'Shared with you' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'The board meets' }).waitFor();
  });

  it('sign in with one press of the link in the browser that asked', async () => {
    const email = await site.newAccount();
    const asked = await ask(email, '/login?returnUrl=/profile/sessions');
    const page = await asked.context().newPage();
    await page.goto(await site.mailedLink(email, '/login'));
    await page.getByText(`Continue as ${email} in this browser.`).waitFor();
    assert.ok(!page.url().includes('#'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/profile/sessions');
  });

  it('show the code in any other browser, to be typed in the one that asked, which returns to where it was going', async () => {
    const email = await site.newAccount();
    const asked = await ask(email, '/login?returnUrl=/profile/sessions');
    const link = await site.mailedLink(email, '/login');
    const other = await site.openAt(link);
    await other.getByRole('heading', { name: 'Your code' }).waitFor();
    await other.getByText(codeIn(link)).waitFor();
    assert.equal(await other.locator('button[type=submit]').count(), 0);
    await enter(asked, codeIn(link).toLowerCase(), '/profile/sessions');
  });

  it('ask for a code from the present mailbox before the email changes', async () => {
    const email = await site.newAccount();
    const page = await ask(email);
    await enter(page, codeIn(await site.mailedLink(email, '/login')), '/profile');
    const Email = site.someEmail();
    const form = await openRow(page, 'Email address', '/profile/security');
    await submit(form, { 'New email address': Email, 'Current password': PASSWORD }, 'Change email address');
    await submit(page, { 'Code from the email': await site.mailedCode(email, 3) }, 'Confirm');
    await page.getByText(`If ${Email} can be used`).waitFor();
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const page = await site.openPage(layout);
    await page.goto('/login');
    await page.locator('button[type=button]', { hasText: /code|Code/ }).click();
    await check(page);
    await page.locator('input[name=Email]').fill(await site.newAccount());
    await page.locator('button[type=submit]:not([disabled])').click();
    await check(page.locator('input[name=MailCode]'));
    await page.goto('/login#Code=7KQ2-M9XD');
    await check(page);
    await page.goto((await site.invited()).link);
    await check(page.locator('input[name=DisplayName]'));
  });
});
