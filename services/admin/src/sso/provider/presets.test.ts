import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import { fieldsOf } from '@gatehouse/runtime/testing';
import type { Behaviour } from '../testing/provider.ts';
import { ADMIN_URL, useSso } from '../testing/browser.ts';
import { PRESETS, presetText } from './list-sso-providers.ts';
import { readProviderSettings } from './provider-settings.ts';

type Claims = Record<string, unknown>;

/** What a provider says of Ann, who is in the group "staff", written after its documentation; no live tenant said it. */
interface Described {
  idToken: (email: string) => Claims;
  userInfo?: (email: string) => Claims;
  groups?: string[];
  prompt?: string;
}

const ANN = { name: 'Ann Other', given_name: 'Ann', family_name: 'Other' };

const DESCRIBED: Record<string, Described> = {
  google: {
    idToken: (email) => ({ ...ANN, azp: 'gatehouse', hd: 'example.com', email, email_verified: true }),
    prompt: 'select_account',
    groups: [],
  },
  entra: {
    idToken: (email) => ({
      ...{ ver: '2.0', oid: 'aaaaaaaa-0000', name: ANN.name, preferred_username: email, email },
      groups: ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'],
    }),
    userInfo: (email) => ({ ...ANN, email }),
  },
  keycloak: {
    idToken: (email) => ({
      ...{ ...ANN, typ: 'ID', azp: 'gatehouse', sid: 'a8e4b8e5', preferred_username: 'ann' },
      ...{ email, email_verified: true, groups: ['/staff', '/staff/ops'] },
    }),
  },
  okta: {
    // With an access token, the ID token is thin.
    idToken: (email) => ({ ver: 1, idp: '00o1', preferred_username: email, name: ANN.name }),
    userInfo: (email) => ({
      ...{ ...ANN, preferred_username: email, email, email_verified: true, groups: ['Everyone', 'staff'] },
    }),
  },
  auth0: {
    idToken: (email) => ({
      ...{ ...ANN, nickname: 'ann', sid: 'EVIHhVkXDqNMZzm' },
      ...{ email, email_verified: true, 'https://example.com/groups': ['staff'] },
    }),
  },
  gitlab: {
    idToken: (email) => ({
      ...{ name: ANN.name, nickname: 'ann', preferred_username: 'ann' },
      ...{ email, email_verified: true, groups_direct: ['corp/staff'] },
    }),
    userInfo: (email) => ({
      ...{ name: ANN.name, preferred_username: 'ann', email, email_verified: true },
      groups: ['corp', 'corp/staff'],
    }),
  },
  authentik: {
    idToken: (email) => ({
      ...{ email, email_verified: false, name: ANN.name, given_name: ANN.name, preferred_username: 'ann' },
      ...{ sid: 'x', nickname: 'ann', groups: ['authentik Admins', 'staff'] },
    }),
  },
  dex: {
    idToken: (email) => ({
      ...{ email, email_verified: true, groups: ['staff', 'ops'], name: ANN.name, preferred_username: 'ann' },
    }),
  },
};

describe('the settings that the console offers for a well-known provider', () => {
  const entries = Object.keys(DESCRIBED).map((id): [string, object] => {
    const { issuer: _, ...others } = PRESETS[id]?.settings ?? {};
    return [id, { ...others, provisioning: 'jit' }];
  });
  const sso = useSso(Object.fromEntries(entries));

  for (const [id, { idToken, userInfo, groups = ['staff'], prompt = 'login' }] of Object.entries(DESCRIBED))
    it(`sign people in with their email, name and groups: ${id}`, async () => {
      const email = someEmail();
      const lies: Partial<Behaviour> = { userInfo: userInfo && { sub: email, ...userInfo(email) } };
      const back = await sso.signOn(id, { sub: email, ...idToken(email) }, lies);
      assert.ok(back.parameters[`${id}_token`], JSON.stringify(back.parameters));
      const statement =
        'select display_name as name, groups from account where email = ? and email_verified_at is not null';
      const [account] = await sso.sql(statement, [email]);
      assert.deepEqual(account, { name: 'Ann Other', groups });
      const asked = new URL(await sso.browser().begin(id, '?fresh=true')).searchParams;
      assert.equal(asked.get('prompt'), prompt);
    });

  it('are complete as they stand, but for the secret', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const clientSecret = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const [id, { settings }] of Object.entries(PRESETS)) {
      const { clientSecretFile: _, ...entry } = JSON.parse(presetText(id, settings));
      assert.equal(readProviderSettings(JSON.stringify([{ ...entry, clientSecret }]))[0]?.id, id);
    }
    const others = Object.keys(PRESETS).filter((id) => !(id in DESCRIBED));
    assert.deepEqual(others, ['github', 'apple'], 'they have tests of their own');
  });

  it('are listed for administrators, with the address to register', async () => {
    const { Presets } = await sso.boss.read('/admin/sso-provider');
    const addresses = Object.keys(PRESETS).map((id) => [id, `${ADMIN_URL}/auth/${id}/callback`]);
    assert.deepEqual(fieldsOf(Presets, 'Id', 'CallbackUrl'), addresses);
  });
});
