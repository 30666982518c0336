import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import type { Page } from 'playwright-core';
import { cast, itInEveryLayout } from '../../testing/index.ts';

describe('one API token in the console', () => {
  const { site, admin } = cast();
  let known: Created;
  before(async () => {
    known = await newToken({ Networks: ['127.0.0.0/8', '::1'], Role: 'Admin' });
  });

  interface Created {
    Id: string;
    Name: string;
    Prefix: string;
    Token: string;
  }

  const newToken = async (given: object = {}): Promise<Created> => {
    const { body } = await admin.call('POST', '/admin/api-token', { Name: site.someEmail(), ...given });
    return body as unknown as Created; // public-openapi.json
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/tokens/${known.Id}`, layout);
    await page.getByText(known.Prefix).waitFor();
    await check(page);
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

  it('says who made it, from where it is accepted, and from where it was used', async () => {
    const { page } = await admin.open(`/tokens/${known.Id}`);
    await factOf(page, 'Accepted from').getByText('127.0.0.0/8, ::1').waitFor();
    await factOf(page, 'Created by').getByRole('link', { name: site.stack.facts.admin.Email }).waitFor();
    const { Id, Token } = await newToken();
    await page.goto(admin.url(`/tokens/${Id}`));
    await factOf(page, 'Last used').getByText('Never used').waitFor();
    await admin.call('GET', '/admin/audit', undefined, Token);
    await eventually(
      async () => (await admin.call('GET', `/admin/api-token/${Id}`)).body['LastUsedIp'] !== null,
    );
    await page.reload();
    await factOf(page, 'Last used from')
      .getByText(/^(?:127\.0\.0\.1|::1)$/)
      .waitFor();
  });

  it('is rotated and revoked, and links to its replacement', async () => {
    const { Id, Name, Prefix } = await newToken();
    const { page } = await admin.open(`/tokens/${Id}`);
    await page.getByRole('button', { name: 'Replace token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click();
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Being replaced').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Replace token' }).count(), 0);
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
    await page.locator('main > header').getByText('Revoked').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Revoke token' }).count(), 0);
    await factOf(page, 'Replaced by').getByRole('link', { name: Name }).click();
    await page.getByText('Active').waitFor();
    assert.notEqual(page.url(), admin.url(`/tokens/${Id}`));
    assert.equal(await page.getByText(Prefix).count(), 0);
  });

  it('is linked from the condition that it set, and from the audit', async () => {
    const { id } = await admin.newUser();
    const disabled = await admin.call('PATCH', `/admin/account/${id}`, { IsDisabled: true }, known.Token);
    assert.equal(disabled.status, 200);
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('link', { name: known.Name }).click();
    await page.getByRole('heading', { name: known.Name }).waitFor();
    await page.getByRole('link', { name: 'changes made with it' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    const drawer = page.getByRole('dialog');
    await drawer.locator(`a[href="/console/tokens/${known.Id}"]`).click();
    await page.getByRole('heading', { name: known.Name }).waitFor();
    await page.getByRole('link', { name: 'Changes of this token' }).click();
    await page.getByRole('table').getByText('API token').first().waitFor();
  });

  it('is not found by the id of another resource', async () => {
    const { page, admin: own } = await admin.open();
    await page.goto(admin.url(`/tokens/${own.id}`));
    await page.getByRole('alert').getByText('not found').first().waitFor();
  });

  const factOf = (page: Page, name: string) =>
    page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
});
