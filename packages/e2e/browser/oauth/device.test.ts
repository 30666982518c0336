import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cast, expectNoViolations, itInEveryLayout, submit } from '../testing/index.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Device = Record<'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete', string>;

describe('signing in a device', () => {
  const { site } = cast();
  let client: string;
  const addClient = async (role: 'User' | 'Admin') => {
    const id = randomUUID();
    const insert = `insert into oauth_client (id, name, is_public, redirect_uris, scopes, grant_types, roles, grants)
       values (:id, 'Telly', true, '{}', '{openid,email,offline_access,films.watch}', :grants, :roles, 'own')`;
    await site.sql(insert, { id, grants: [GRANT, 'refresh_token'], roles: [role] });
    return id;
  };
  before(async () => (client = await addClient('User')));

  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: client, ...fields });
    const answer = await fetch(`${site.stack.facts.baseUrl}${path}`, { method: 'POST', body });
    return (await answer.json()) as Record<string, string>;
  };
  const begin = async (more: Record<string, string> = {}) =>
    (await post('/oauth/device_authorization', {
      scope: 'openid email offline_access films.watch',
      ...more,
    })) as unknown as Device;
  const tokensOf = (device: Device) =>
    post('/oauth/token', { grant_type: GRANT, device_code: device.device_code });

  itInEveryLayout('by its link asks everybody which code it shows', async (layout, check) => {
    const { page } = await site.signedIn(layout);
    const device = await begin();
    await page.goto(device.verification_uri_complete);
    await page.getByRole('button', { name: device.user_code, disabled: false }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await check(page);
  });

  itInEveryLayout('asks for its code so that everybody can use it', async (layout, check) => {
    const { page } = await site.signedIn(layout);
    await page.goto('/device');
    await page.locator('input[name=UserCode]').fill('BBBB-BBBB');
    await page.locator('button[type=submit]').click();
    await check(page.locator('[aria-invalid=true]'));
  });

  it('by its code leads through the login and says what it gets', async () => {
    const [email, device] = [await site.newAccount(), await begin()];
    const page = await site.openAndLogIn(email, device.verification_uri);
    await submit(page, { Code: device.user_code.toLowerCase() }, 'Continue');
    await page.getByText(`Telly on a device would like to use your account ${email}.`).waitFor();
    await page.getByText('Access to “films.watch”').waitFor();
    await page.getByText('in your network').waitFor();
    assert.equal((await tokensOf(device))['error'], 'authorization_pending');
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    await expectNoViolations(page.getByRole('heading', { name: 'The device is signed in' }));
    assert.ok((await tokensOf(device))['access_token']);
    await page.getByRole('link', { name: 'Your apps and devices' }).click();
    await page.getByRole('region', { name: 'Agents and devices' }).getByText('Telly').waitFor();
  });

  it('by a link from somebody else gets nothing without the code on its screen', async () => {
    const [email, device] = [await site.newAccount(), await begin()];
    const page = await site.openAndLogIn(email, device.verification_uri_complete);
    await page.getByText('Which of these codes does the device in front of you show?').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0);
    const codes = page.getByRole('button', { name: /^[A-Z]{4}-[A-Z]{4}$/, disabled: false });
    await codes.filter({ hasNotText: device.user_code }).first().click();
    await page.getByRole('heading', { name: 'The device was not signed in' }).waitFor();
    assert.equal((await tokensOf(device))['error'], 'access_denied');
    await page.goto(device.verification_uri_complete);
    await page.getByText('This code is wrong, has expired or was used already.').waitFor();
  });

  it('makes way for another code when one expires before the answer, and when it is refused', async () => {
    const [late, staff] = [await begin(), await begin({ client_id: await addClient('Admin') })];
    const { page } = await site.signedIn();
    const type = async ({ user_code: code }: Device) => {
      await submit(page, { Code: code }, 'Continue');
    };
    await page.goto('/device');
    await type(late);
    const allow = page.getByRole('button', { name: 'Allow', disabled: false });
    await allow.waitFor();
    const code = late.user_code.replace('-', '');
    await site.sql('update device_authorization set expires_at = now() where user_code = :code', { code });
    await allow.click();
    await page.getByText('This code is wrong, has expired or was used already.').waitFor();
    await type(staff);
    await page.getByRole('heading', { name: 'This sign-in does not work' }).waitFor();
    await page.reload();
    await page.getByLabel('Code').waitFor();
  });
});
