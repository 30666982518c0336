import assert from 'node:assert/strict';
import { appOf } from '../../oauth/testing-app.ts';
import { cast, itInEveryLayout, confirmed } from '../../testing/index.ts';

describe('the agents and devices of an account in the console', () => {
  const { site, admin } = cast();
  const app = appOf(site);

  const newOwner = async (...userAgents: string[]) => {
    const { id } = await admin.newUser();
    const clientId = await app.newClient({ name: 'Television', grants: 'own' });
    await site.sql(
      `insert into oauth_consent (account_id, client_id, scopes) values (?, ?, '{openid,email,offline_access}')`,
      [id, clientId],
    );
    for (const userAgent of userAgents) {
      await site.sql(
        `insert into client_session (
           id, client_id, account_id, scopes, ends_at, ip_address, user_agent, refresh_current, refresh_next)
         values (gen_random_uuid(), ?, ?, '{openid,email,offline_access}', now() + interval '1 year',
           '2001:db8::1234:5678:9abc:def0', ?, '', '')`,
        [clientId, id, userAgent],
      );
    }
    return { id, clientId };
  };
  const left = async (id: string) => (await admin.items(`/admin/account/${id}/grant`)).length;

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { id, clientId } = await newOwner('okhttp/4.12.0', 'curl/8.5.0');
    const { page } = await admin.open(`/accounts/${id}/grants`, layout);
    await check(page.getByRole('link', { name: 'Television' }).first());
    await page.getByRole('button', { name: /^(Sign out all|Alle abmelden)/ }).click();
    await check(page.getByRole('dialog'));
    await page.goto(admin.url(`/applications/${clientId}`));
    await check(page.getByRole('cell', { name: 'curl' }));
  });

  it('are ended one by one, or all at once', async () => {
    const { id } = await newOwner('okhttp/4.12.0', 'curl/8.5.0', 'reader/1.0');
    const { page } = await admin.open(`/accounts/${id}`);
    await page.getByRole('link', { name: 'Agents and devices' }).click();
    const row = page.getByRole('row').filter({ hasText: 'curl' });
    await confirmed(page, 'Sign out', row.getByRole('button', { name: 'Sign out' }));
    await page.getByText('Signed out.').waitFor();
    await row.waitFor({ state: 'detached' });
    assert.equal(await left(id), 2);
    await confirmed(page, 'Sign out all');
    await page.getByText('No agent or device stays signed in.').waitFor();
    assert.equal(await left(id), 0);
  });
});
