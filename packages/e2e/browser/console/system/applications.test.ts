import assert from 'node:assert/strict';
import { appOf } from '../../oauth/testing-app.ts';
import { cast, confirmed, itInEveryLayout, submit } from '../../testing/index.ts';

describe('applications in the console', () => {
  const { site, admin } = cast();
  const app = appOf(site);

  const signedIn = async (clientId: string): Promise<string> => {
    const { page, email } = await site.signedIn();
    await app.signIn(page, clientId);
    return email;
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const clientId = await app.newClient({ name: site.someEmail() });
    const email = await signedIn(clientId);
    const { page } = await admin.open('/applications', layout);
    await check(page.getByRole('table'));
    await page.getByRole('button', { name: /^(Register|Anwendung)/ }).click();
    await check(page.getByRole('dialog'));
    await page.goto(admin.url(`/applications/${clientId}`));
    await check(page.getByRole('link', { name: email }));
  });

  it('are registered by kind, with a secret that is shown once in the settings to paste, using the keyboard only', async () => {
    const { page, dialog, keyboard } = await admin.openByKeyboard('/applications');
    await keyboard.press(page.getByRole('button', { name: 'Register application' }));
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Grafana');
    assert.equal(await dialog.getByLabel(/^Do not ask people/).isChecked(), false);
    await keyboard.type(dialog.getByLabel('Address of the application'), 'https://grafana.example.com/');
    await keyboard.press(dialog.getByRole('button', { name: 'Register application' }));
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    assert.match(secret, /^gcs_/);
    await dialog.getByText(`client_secret = ${secret}`).waitFor();
    await keyboard.press(dialog.getByLabel('I have stored it'), 'Space');
    await keyboard.press(dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('heading', { name: 'Grafana' }).waitFor();
    await page.getByText('https://grafana.example.com/login/generic_oauth').first().waitFor();
    assert.ok(!(await page.content()).includes(secret));
  });

  it('are changed, get another secret, and are deleted', async () => {
    const Name = site.someEmail();
    const wanted = { Name, RedirectUris: ['https://app.example.com/callback'] };
    const { id } = await admin.create('/admin/oauth-client', wanted);
    const path = `/admin/oauth-client/${id}`;
    const { page, dialog } = await admin.open(`/applications/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Required groups').fill('staff, board');
    await dialog.getByLabel('Requires PKCE').uncheck();
    await dialog.getByLabel(/^Requires a nonce/).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The application was changed.').waitFor();
    const { Groups, RequiresPkce, RequiresNonce } = await admin.get(path);
    assert.deepEqual([Groups, RequiresPkce, RequiresNonce], [['board', 'staff'], false, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    const undone = await admin.get(path);
    assert.deepEqual([undone['Groups'], undone['RequiresPkce'], undone['RequiresNonce']], [[], true, true]);
    await confirmed(page, 'Replace secret');
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The old secret expires').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await submit(dialog, { [`Type ${Name} to continue`]: Name }, 'Delete');
    await page.waitForURL(admin.url('/applications'));
    assert.equal((await admin.call('GET', path)).status, 404);
  });

  it('list who is signed in, and sign them out', async () => {
    const clientId = await app.newClient({ name: site.someEmail() });
    const email = await signedIn(clientId);
    const { page } = await admin.open(`/applications/${clientId}`);
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByRole('button').click();
    await confirmed(page, 'Sign out', page.getByRole('button', { name: 'Sign out', exact: true }));
    await page.getByText('Nobody is signed in.').waitFor();
  });
});
