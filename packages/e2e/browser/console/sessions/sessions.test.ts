import assert from 'node:assert/strict';
import {
  expectNoViolations,
  openTestConsole,
  startSite,
  type Site,
  type TestConsole,
  itInEveryLayout,
} from '../../testing/index.ts';

describe('the console’s sessions', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite({ SINGLE_SESSION: 'false' });
    admin = await openTestConsole(site);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const signedIn = async (count: number) => {
    const email = await site.newAccount();
    const tokens = [];
    for (let one = 0; one < count; one += 1) tokens.push((await site.login(email)).Token);
    const { body } = await admin.call('GET', `/admin/user-session?search=${email}`);
    return { email, tokens, sessions: body['Items'] as { Id: string }[] }; // docs/openapi/admin.json
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/sessions', layout);
    await page.getByRole('table').waitFor();
    await check(page);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: /History|Verlauf/ }).waitFor();
    await check(page);
    await page.getByRole('button', { name: /Change status|Status ändern/ }).click();
    await page.getByRole('dialog').waitFor();
    await check(page);
  });

  it('are ended in bulk after a preview, and those that others have ended meanwhile are listed', async () => {
    const { email, tokens, sessions } = await signedIn(3);
    const { page } = await admin.open(`/sessions?search=${email}`);
    await page.getByText('3 in all').waitFor();
    await page.getByRole('button', { name: 'Change all that match' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('a lost laptop');
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText('This changes 3 sessions of 1 account to: Deactivated.').waitFor();
    await expectNoViolations(page);
    assert.equal(await site.pingStatus(tokens[0] ?? ''), 1);
    await admin.call('POST', '/admin/user-session', { SessionId: sessions[0]?.Id, Status: 4 });
    await dialog.getByRole('button', { name: 'Change 3 sessions' }).click();
    await dialog.getByText('Changed: 2.').waitFor();
    await dialog.getByText('Not changed, because they changed after the preview: 1.').first().waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    for (const token of tokens) assert.equal(await site.pingStatus(token), 4);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('a lost laptop').or(page.getByText('By an administrator')).first().waitFor();
  });
});
