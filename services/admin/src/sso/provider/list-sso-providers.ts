import { ssoIdentities } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const COUNT_MAX = 10_000;

const SsoProvider = Type.Object(
  {
    Id: Type.String(),
    Name: Type.String({ description: 'The display name; the ID if there is none' }),
    Issuer: Type.String(),
    CallbackUrl: Type.String({
      description: 'The URL to which the provider redirects browsers; register it at the provider',
    }),
    ReturnUrls: Type.Array(Type.String()),
    Provisioning: Type.String(),
    AllowedDomains: Type.Array(Type.String()),
    TrustEmail: Type.Boolean(),
    TrustSecondFactor: Type.Boolean(),
    LeftOutGroups: Type.Array(Type.String(), {
      description:
        'Names of groups that sign-ons at this process have left out lately, for want of a setting or as no labels',
    }),
    IsReachable: Nullable(Type.Boolean(), {
      description: 'Whether the last discovery by this process succeeded; null if there was none yet',
    }),
    LastDiscoveryAt: Nullable(Timestamp()),
    Identities: Type.Integer({ description: 'Number of linked accounts, up to 10,000' }),
  },
  { title: 'SsoProvider' },
);

const Preset = Type.Object(
  {
    Id: Type.String(),
    Name: Type.String(),
    CallbackUrl: Type.String({ description: 'The URL to register at the provider' }),
    Settings: Type.String({ description: 'An entry of `SSO_PROVIDERS`, in JSON' }),
  },
  { title: 'SsoProviderPreset' },
);

export const listSsoProviders = route('GET /admin/sso-provider', {
  operationId: 'listSsoProviders',
  tag: 'Single sign-on',
  summary: 'List identity providers',
  description: 'Returns the providers in `SSO_PROVIDERS`, without client IDs and secrets.',
  response: Type.Object({
    Items: Type.Array(SsoProvider),
    Presets: Type.Array(Preset, { description: 'The settings of well-known providers, to begin with' }),
  }),
  handler: async ({ deps }) => {
    const { providers } = deps.sso;
    const counts: number[] = [];
    for (const { settings } of providers)
      counts.push(await ssoIdentities.count(deps.db, settings.issuer, COUNT_MAX));
    return {
      Presets: Object.entries(PRESETS).map(([id, { name, settings }]) => ({
        Id: id,
        Name: name,
        CallbackUrl: deps.sso.callbackUrl(id),
        Settings: presetText(id, settings),
      })),
      Items: providers.map(({ settings, callbackUrl, lastDiscovery, leftOutGroups }, index) => {
        const discovery = lastDiscovery();
        return {
          Id: settings.id,
          Name: settings.name ?? settings.id,
          Issuer: settings.issuer,
          CallbackUrl: callbackUrl,
          ReturnUrls: settings.returnUrls,
          Provisioning: settings.provisioning,
          AllowedDomains: settings.allowedDomains,
          TrustEmail: settings.trustEmail,
          TrustSecondFactor: settings.trustSecondFactor,
          LeftOutGroups: leftOutGroups(),
          IsReachable: discovery?.isReachable ?? null,
          LastDiscoveryAt: discovery?.at.toISOString() ?? null,
          Identities: counts[index] ?? 0,
        };
      }),
    };
  },
});

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
  dex: {
    name: 'Dex (LDAP, SAML)',
    settings: {
      issuer: 'https://dex.example.com',
      scopes: ['openid', 'email', 'profile', 'groups'],
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
