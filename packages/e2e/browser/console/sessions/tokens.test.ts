import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  expectNoViolations,
  openTestConsole,
  startSite,
  tabOnly,
  type Site,
  type TestConsole,
  itInEveryLayout,
} from '../../testing/index.ts';

const NETWORKS = ['198.51.100.128/25', '203.0.113.128/25'];

describe('the API tokens in the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
    await admin.call('POST', '/admin/api-token', { Name: 'Billing', Networks: NETWORKS });
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/tokens', layout);
    await page.getByRole('table').waitFor();
    await check(page);
    await page.getByRole('button', { name: /Create token|Token anlegen/ }).click();
    await page.locator('dialog input[name=Name]').waitFor();
    await check(page);
  });

  it('are listed with whole addresses where there is room', async () => {
    const { page } = await admin.open('/tokens');
    await page.setViewportSize({ width: 1440, height: 900 });
    const networks = page.getByTitle(NETWORKS.join(', ')).locator('span').last();
    await networks.waitFor();
    assert.ok(await networks.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  });

  it('are created using the keyboard only, and shown once', async () => {
    const { email } = await admin.newAdmin();
    const page = await admin.openPage();
    const keyboard = await tabOnly(page);
    await page.goto(admin.url('/tokens'));
    await keyboard.signIn(email);
    await keyboard.press(page.getByRole('button', { name: 'Create token' }));
    const name = site.someEmail();
    await keyboard.type(page.getByLabel('Name'), name);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('region', { name: 'Token', exact: true });
    const token = (await shown.textContent()) ?? '';
    await expectNoViolations(page);
    assert.equal(await statusWith(token), 403);
    await page.keyboard.press('Escape');
    await shown.waitFor();
    await keyboard.press(page.getByLabel('I have stored it'), 'Space');
    await keyboard.press(page.getByRole('button', { name: 'Done' }));
    await rowOf(page, name).getByText('Active').waitFor();
    assert.ok(!(await page.content()).includes(token));
    await keyboard.expectNoPointer();
  });

  it('says which field is wrong', async () => {
    const { page } = await admin.open('/tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('x');
    await page.getByLabel('Accepted from').fill('nowhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.locator('input[name=Networks][aria-invalid=true]').waitFor();
  });

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  /** The status of an administrators' route with this token: 403 while the token is valid. */
  const statusWith = async (token: string): Promise<number> => {
    const answer = await fetch(`${site.stack.facts.adminUrl}/admin/audit`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(15_000),
    });
    return answer.status;
  };
});
