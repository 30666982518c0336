import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { barOf, cast } from '../../testing/index.ts';

/** A JWT contains a dot, unlike the cursor of a list. Lists show the first twelve characters of a static token. */
const SECRETS = { jwt: /eyJ[\w-]*\.[\w-]/, staticToken: /sat_[0-9A-Za-z]{9}/ };
const SCREENS = ['Accounts', 'Sessions', 'API tokens'];

describe('what scripts of the console can reach', () => {
  const { site, admin } = cast();
  before(() => admin.call('POST', '/admin/api-token', { Name: 'Billing' }));

  it('includes no token: in memory, cookies or storage', async () => {
    // Signs in with the form, because what it sends and gets must not stay in memory.
    const own = await admin.newAdmin();
    const page = await site.openAndLogIn(own.email, admin.url());
    for (const name of SCREENS) {
      await barOf(page).getByRole('link', { name, exact: true }).click();
      await page.getByRole('table').waitFor();
    }
    await page.getByText('sat_').first().waitFor();
    const memory = await heapOf(page);
    assert.ok(memory.includes(own.email));
    for (const [what, pattern] of Object.entries(SECRETS)) assert.doesNotMatch(memory, pattern, what);
    const cookies = await page.context().cookies();
    assert.equal(cookies.length, 1);
    for (const { value } of cookies) assert.ok(value.length > 20 && !memory.includes(value));
    const kept = await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    assert.deepEqual(kept, ['', 0, 0]);
  });

  it('would be detected by this test (control)', async () => {
    const { page } = await admin.open();
    const { value } = (await page.context().cookies())[0] ?? { value: '' };
    const kept = ['eyJhbGciOiJFUzI1NiJ9.e30', `sat_${'a'.repeat(49)}`, value];
    await page.evaluate((texts) => Object.assign(globalThis, { kept: texts }), kept);
    const memory = await heapOf(page);
    for (const pattern of Object.values(SECRETS)) assert.match(memory, pattern);
    assert.ok(memory.includes(value));
  });
});

async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}
