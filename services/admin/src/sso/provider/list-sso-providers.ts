import { countIdentities } from '@gatehouse/accounts';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const SsoProvider = Type.Object(
  {
    Id: Type.String(),
    Name: Type.String({ description: 'As people know it; the ID if it has no name' }),
    Issuer: Type.String(),
    CallbackUrl: Type.String({ description: 'Where the provider sends browsers back to; register it there' }),
    ReturnUrls: Type.Array(Type.String()),
    Provisioning: Type.String(),
    AllowedDomains: Type.Array(Type.String()),
    TrustEmail: Type.Boolean(),
    TrustSecondFactor: Type.Boolean(),
    IsReachable: Nullable(Type.Boolean(), {
      description: 'Whether this process reached it at the last discovery; null if there was none yet',
    }),
    LastDiscoveryAt: Nullable(Timestamp()),
    Identities: Type.Integer({ description: 'Accounts that are tied to it, up to 10,000' }),
  },
  { title: 'SsoProvider' },
);

export const listSsoProviders = route({
  method: 'get',
  path: '/admin/sso-provider',
  operationId: 'listSsoProviders',
  tag: 'Single sign-on',
  summary: 'List identity providers',
  description: 'As `SSO_PROVIDERS` configures them, without client IDs and secrets.',
  access: ['Admin'],
  response: Type.Object({ Items: Type.Array(SsoProvider) }),
  handler: async ({ deps }) => {
    const { providers } = deps.sso;
    const counts = await countIdentities(
      deps,
      providers.map(({ settings }) => settings.issuer),
    );
    return {
      Items: providers.map(({ settings, callbackUrl, lastDiscovery }, index) => {
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
          IsReachable: discovery?.isReachable ?? null,
          LastDiscoveryAt: discovery?.at.toISOString() ?? null,
          Identities: counts[index] ?? 0,
        };
      }),
    };
  },
});
