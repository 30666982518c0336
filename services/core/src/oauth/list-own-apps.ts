import { oauthOwnApps } from '@gatehouse/db';
import { Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const listOwnApps = route({
  method: 'get',
  path: '/account/app',
  operationId: 'listOwnApps',
  tag: 'Applications',
  summary: 'List the apps that you sign in to',
  description:
    'Apps that you are signed in to with this account, and those that you have allowed to sign you in.',
  access: 'session',
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          Id: Uuid(),
          Name: Type.String(),
          Scopes: Type.Array(Type.String(), { description: 'What it may know and do' }),
          GrantedAt: Nullable(Timestamp(), {
            description: 'When you allowed it; null for an app that needs no consent',
          }),
          SignIns: Type.Integer({ description: 'How often you are signed in to it now' }),
          LastUsedAt: Nullable(Timestamp(), { description: 'null if you are not signed in to it' }),
        },
        { title: 'OwnApp' },
      ),
    ),
  }),
  handler: async ({ caller, deps }) => {
    const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
    const own = await oauthOwnApps.findOfAccount(deps.db, caller.accountId, { idleSeconds });
    return {
      Items: own.map(({ clientId, name, scopes, grantedAt, signIns, lastUsedAt }) => ({
        Id: clientId,
        Name: name,
        Scopes: scopes,
        GrantedAt: grantedAt?.toISOString() ?? null,
        SignIns: signIns,
        LastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    };
  },
});
