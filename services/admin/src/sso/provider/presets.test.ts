import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import type { Behaviour } from '../testing/provider.ts';
import { useSso } from '../testing/browser.ts';
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
    idToken: (email) => ({
      ...{
        azp: 'gatehouse',
        at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
        hd: 'example.com',
        email,
        email_verified: true,
      },
      ...{ ...ANN, picture: 'https://lh3.googleusercontent.com/a-/x' },
    }),
    prompt: 'select_account',
    groups: [],
  },
  entra: {
    idToken: (email) => ({
      ...{
        ver: '2.0',
        tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
        oid: 'aaaaaaaa-0000',
        rh: '0.AXcA',
        uti: 'x',
      },
      ...{ name: ANN.name, preferred_username: email, email },
      groups: ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'],
    }),
    userInfo: (email) => ({ ...ANN, email, picture: 'https://graph.microsoft.com/v1.0/me/photo/$value' }),
  },
  keycloak: {
    idToken: (email) => ({
      ...{ typ: 'ID', azp: 'gatehouse', auth_time: 1_700_000_000, acr: '1', sid: 'a8e4b8e5', at_hash: 'x' },
      ...{ ...ANN, email, email_verified: true, preferred_username: 'ann', groups: ['/staff', '/staff/ops'] },
    }),
  },
  okta: {
    // With an access token, the ID token is thin.
    idToken: (email) => ({
      ...{ ver: 1, amr: ['pwd'], idp: '00o1', auth_time: 1_700_000_000, at_hash: 'x', jti: 'ID.x' },
      ...{ preferred_username: email, name: ANN.name },
    }),
    userInfo: (email) => ({
      ...{ ...ANN, locale: 'en-US', zoneinfo: 'America/Los_Angeles', updated_at: 1_700_000_000 },
      ...{ preferred_username: email, email, email_verified: true, groups: ['Everyone', 'staff'] },
    }),
  },
  auth0: {
    idToken: (email) => ({
      ...{
        ...ANN,
        nickname: 'ann',
        picture: 'https://s.gravatar.com/x',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
      ...{ email, email_verified: true, sid: 'EVIHhVkXDqNMZzm', 'https://example.com/groups': ['staff'] },
    }),
  },
  gitlab: {
    idToken: (email) => ({
      ...{
        sub_legacy: 'x',
        auth_time: 1_700_000_000,
        name: ANN.name,
        nickname: 'ann',
        preferred_username: 'ann',
      },
      ...{ email, email_verified: true, profile: 'https://gitlab.com/ann', groups_direct: ['corp/staff'] },
    }),
    userInfo: (email) => ({
      ...{ name: ANN.name, nickname: 'ann', preferred_username: 'ann', email, email_verified: true },
      groups: ['corp', 'corp/staff'],
    }),
  },
  authentik: {
    idToken: (email) => ({
      ...{ acr: 'goauthentik.io/providers/oauth2/default', amr: ['pwd'], auth_time: 1_700_000_000, sid: 'x' },
      ...{ email, email_verified: false, name: ANN.name, given_name: ANN.name, preferred_username: 'ann' },
      ...{ nickname: 'ann', groups: ['authentik Admins', 'staff'] },
    }),
  },
  dex: {
    idToken: (email) => ({
      ...{ at_hash: 'x', c_hash: 'x', email, email_verified: true },
      ...{ groups: ['staff', 'ops'], name: ANN.name, preferred_username: 'ann' },
    }),
  },
};

describe('the settings that the console offers for a well-known provider', () => {
  const entries = Object.keys(DESCRIBED).map((id): [string, object] => {
    const { issuer: _, ...others } = PRESETS[id]?.settings ?? {};
    return [id, { ...others, provisioning: 'jit' }];
  });
  const sso = useSso(Object.fromEntries(entries));

  for (const [id, { idToken, userInfo, groups = ['staff'], prompt = 'login' }] of Object.entries(DESCRIBED)) {
    it(`sign people in with their email, name and groups: ${id}`, async () => {
      const email = someEmail();
      const lies: Partial<Behaviour> = { userInfo: userInfo && { sub: email, ...userInfo(email) } };
      const back = await sso.signOn(id, { sub: email, ...idToken(email) }, lies);
      assert.ok(back.parameters[`${id}_token`], JSON.stringify(back.parameters));
      const [account] = await sso.sql(
        'select display_name as name, groups from account where email = ? and email_verified_at is not null',
        [email],
      );
      assert.deepEqual(account, { name: 'Ann Other', groups });
      const asked = new URL(await sso.browser().begin(id, '?fresh=true')).searchParams;
      assert.equal(asked.get('prompt'), prompt);
    });
  }

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
    const { Token } = await sso.login(await sso.member({ role: 'Admin' }));
    const { Presets } = (await sso.admin.get('/admin/sso-provider', Token).expect(200)).body;
    assert.deepEqual(
      Presets.map(({ Id, CallbackUrl }: Record<string, string>) => [Id, CallbackUrl]),
      Object.keys(PRESETS).map((id) => [id, `https://admin.gatehouse.test/auth/${id}/callback`]),
    );
  });
});
