import { ssoIdentities } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { PRESETS, presetText } from './presets.ts';

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
