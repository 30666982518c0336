/**
 * What to enter in `SSO_PROVIDERS` for the providers that people have, by the id that it gives them. It contains what
 * differs from the defaults; the administrator replaces names, and decides whether to trust the emails. `presets.test.ts`
 * signs people in with each, from claims as the provider's documentation shows them.
 */
export const PRESETS: Readonly<
  Record<string, { name: string; settings: { issuer: string; [name: string]: unknown } }>
> = {
  google: {
    name: 'Google',
    settings: {
      issuer: 'https://accounts.google.com',
      allowedDomains: ['example.com'],
      // It knows `none`, `consent` and `select_account` alone, and refuses others.
      freshPrompt: 'select_account',
    },
  },
  entra: {
    name: 'Microsoft Entra ID',
    settings: {
      // Of one tenant: that of `common` is a pattern.
      issuer: 'https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0',
      allowedDomains: ['example.com'],
      emailVerified: 'always',
      // It names groups by their object ids.
      groups: { claim: 'groups', map: { '11111111-1111-1111-1111-111111111111': 'staff' } },
    },
  },
  keycloak: {
    name: 'Keycloak',
    settings: {
      issuer: 'https://keycloak.example.com/realms/corp',
      // Its mapper "Group Membership" names paths.
      groups: { claim: 'groups', map: { '/staff': 'staff' } },
    },
  },
  okta: {
    name: 'Okta',
    settings: {
      issuer: 'https://example.okta.com',
      scopes: ['openid', 'email', 'profile', 'groups'],
      groups: { claim: 'groups', allow: ['staff'] },
    },
  },
  auth0: {
    name: 'Auth0',
    settings: {
      issuer: 'https://example.eu.auth0.com/',
      // Set by an action of yours, under a name with a namespace: it drops others.
      groups: { claim: 'https://example.com/groups', allow: ['staff'] },
    },
  },
  gitlab: {
    name: 'GitLab',
    settings: {
      issuer: 'https://gitlab.com',
      groups: { claim: 'groups', map: { 'corp/staff': 'staff' } },
    },
  },
  authentik: {
    name: 'authentik',
    settings: {
      issuer: 'https://authentik.example.com/application/o/gatehouse/',
      // It says false of every email since 2025.10.
      emailVerified: 'always',
      groups: { claim: 'groups', allow: ['staff'] },
    },
  },
  github: {
    name: 'GitHub',
    settings: { kind: 'github', issuer: 'https://github.com', provisioning: 'off' },
  },
  apple: {
    name: 'Apple',
    settings: {
      kind: 'apple',
      issuer: 'https://appleid.apple.com',
      clientSecretFile: '/run/secrets/AuthKey_B123456789.p8',
      teamId: 'A123456789',
      keyId: 'B123456789',
      provisioning: 'off',
    },
  },
};

/** The settings of a provider as a text to paste, with what every provider needs. */
export function presetText(id: string, settings: object): string {
  const usual = {
    clientId: '…',
    clientSecretFile: `/run/secrets/${id}`,
    trustEmail: true,
    provisioning: 'jit',
    returnUrls: ['https://app.example.com/signed-in'],
  };
  return JSON.stringify({ id, ...usual, ...settings }, undefined, 2);
}
