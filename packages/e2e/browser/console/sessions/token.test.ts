import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cast, expectNoViolations, itInEveryLayout, confirmed } from '../../testing/index.ts';

const NETWORKS = ['198.51.100.128/25', '203.0.113.128/25'];

describe('an API token in the console', () => {
  const { site, admin } = cast();
  let known: Created;
  before(async () => {
    await newToken({ Networks: NETWORKS });
    known = await newToken({ Networks: ['127.0.0.0/8', '::1'], Role: 'Admin' });
  });

  type Created = Record<'Id' | 'Name' | 'Prefix' | 'Token', string>;

  const newToken = async (given: object = {}): Promise<Created> => {
    const { body } = await admin.create('/admin/api-token', { Name: site.someEmail(), ...given });
    return body as unknown as Created; // public-openapi.json
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/tokens', layout);
    await check(page.getByRole('table'));
    await page.getByRole('button', { name: /Create token|Token anlegen/ }).click();
    await check(page.locator('dialog input[name=Name]'));
    await page.goto(admin.url(`/tokens/${known.Id}`));
    await page.getByText(known.Prefix).waitFor();
    await check(page.getByText('127.0.0.0/8, ::1'));
  });

  it('is opened by pasting its id into the search and from the list, using the keyboard only', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/tokens');
    await keyboard.press(page.getByRole('link', { name: known.Name }));
    await page.getByRole('heading', { name: known.Name }).waitFor();
    assert.equal(page.url(), admin.url(`/tokens/${known.Id}`));
    const { Id, Name } = await newToken();
    await page.locator('body').press('/');
    await page.keyboard.type(Id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: Name }).waitFor();
    assert.equal(page.url(), admin.url(`/tokens/${Id}`));
  });

  it('is rotated and revoked, and links to its replacement', async () => {
    const { Id, Name, Prefix } = await newToken();
    const { page } = await admin.open(`/tokens/${Id}`);
    await confirmed(page, 'Replace token');
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Being replaced').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Replace token' }).count(), 0);
    await confirmed(page, 'Revoke token');
    await page.locator('main > header').getByText('Revoked').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Revoke token' }).count(), 0);
    await factOf(page, 'Replaced by').getByRole('link', { name: Name }).click();
    await page.getByText('Active').waitFor();
    assert.notEqual(page.url(), admin.url(`/tokens/${Id}`));
    assert.equal(await page.getByText(Prefix).count(), 0);
  });

  const factOf = (page: Page, name: string) =>
    page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });

  it('is listed with whole addresses where there is room', async () => {
    const { page } = await admin.open('/tokens');
    await page.setViewportSize({ width: 1440, height: 900 });
    const networks = page.getByTitle(NETWORKS.join(', ')).locator('span').last();
    await networks.waitFor();
    assert.ok(await networks.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  });

  it('is created using the keyboard only, and shown once', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/tokens');
    await keyboard.press(page.getByRole('button', { name: 'Create token' }));
    const name = site.someEmail();
    await keyboard.type(page.getByLabel('Name'), name);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('region', { name: 'Token', exact: true });
    const token = (await shown.textContent()) ?? '';
    await expectNoViolations(page);
    // It is valid, but not an administrator's.
    assert.equal((await admin.call('GET', '/admin/audit', undefined, token)).status, 403);
    await page.keyboard.press('Escape');
    await shown.waitFor();
    await keyboard.press(page.getByLabel('I have stored it'), 'Space');
    await keyboard.press(page.getByRole('button', { name: 'Done' }));
    await page.getByRole('row').filter({ hasText: name }).getByText('Active').waitFor();
    assert.ok(!(await page.content()).includes(token));
  });
});
