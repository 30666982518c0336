import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addFilter, cast, itInEveryLayout, downloaded } from '../../testing/index.ts';

describe('the audit in the console', () => {
  const { admin } = cast();
  let contentId: string;
  before(async () => {
    contentId = await admin.newContent('=SUM(A1)');
    for (const Name of ['=SUM(A2)', '=SUM(A3)'])
      await admin.call('PUT', `/admin/content-definition/${contentId}`, { Name, Kind: 'Document' });
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/audit?targetId=${contentId}`, layout);
    await check(page.getByRole('table'));
    await addFilter(page, /^Trace[ -]ID$/);
    await check(page.locator('input[name=traceId]'));
    await page.getByRole('table').getByRole('link').first().click();
    await check(page.getByRole('dialog'));
  });

  it('is filtered, read and closed using the keyboard only', async () => {
    const { page, keyboard } = await admin.openByKeyboard(`/audit?targetId=${contentId}`);
    await page.getByText('3 in all').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await keyboard.press(page.getByRole('button', { name: 'What', exact: true }));
    // Its list opens by itself. There, a space would choose, so it is closed first.
    await page.locator('select[name=action]:open').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('select[name=action]:not(:open)').waitFor();
    await keyboard.choose(page.locator('select[name=action]'), 'Content created');
    await page.getByText('1 in all').waitFor();
    assert.match(page.url(), /action=content\.created/);
    await keyboard.press(page.getByRole('link', { name: 'Content created' }));
    const drawer = page.getByRole('dialog', { name: 'Content created' });
    await drawer.getByText('Document').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('shows a filter when it is added or set, keeps it while it is emptied, and removes it', async () => {
    // Few rows, so that few tabs lead around the page.
    const none = '/audit?action=content.deleted&actorKind=ApiToken';
    const { page, keyboard } = await admin.openByKeyboard(none);
    const add = page.getByRole('button', { name: 'Filter', exact: true });
    const target = page.getByLabel('Target ID', { exact: true });
    await add.waitFor();
    assert.equal(await target.count(), 0);
    await keyboard.press(add);
    await keyboard.press(page.getByRole('button', { name: 'Target ID', exact: true }));
    const focused = page.locator(':focus');
    await focused.and(target).waitFor();
    await page.keyboard.type(contentId);
    await page.waitForURL(admin.url(`${none}&targetId=${contentId}`));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.waitForURL(admin.url(none));
    await focused.and(target).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Remove the filter Target ID' }));
    await focused.and(add).waitFor();
    assert.equal(await target.count(), 0);
  });

  it('exports every page, without formulas for spreadsheets', async () => {
    const { page } = await admin.open(`/audit?targetId=${contentId}`);
    await page.getByText('3 in all').waitFor();
    await page.route('**/admin/audit?*limit=200*', async (route) => {
      await route.continue({ url: route.request().url().replace('limit=200', 'limit=2') });
    });
    const csv = await exported(page, 'CSV');
    assert.equal(csv.name, 'audit.csv');
    const [head, ...lines] = csv.text.trim().split('\r\n');
    assert.match(head ?? '', /^"Id","At","Action",/);
    assert.equal(lines.length, 3);
    for (const line of lines) assert.ok(line.includes(`"'=SUM(A3)"`), line);
    const ndjson = await exported(page, 'NDJSON');
    const rows = ndjson.text.trim().split('\n');
    const names = rows.map((row) => (JSON.parse(row) as { TargetName: string }).TargetName);
    assert.deepEqual(names, ['=SUM(A3)', '=SUM(A3)', '=SUM(A3)']);
  });
});

async function exported(page: Page, format: string): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const choice = page.getByRole('button', { name: format, exact: true });
  const file = await downloaded(page, () => choice.click());
  await page.getByRole('dialog').getByText('3 rows are in the file').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  return file;
}
