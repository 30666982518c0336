import { accountAdmin, ssoIdentities } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath, unknownAccount } from '../../account-answer.ts';

const Identity = Type.Object(
  {
    Number: Type.Integer({ description: 'Identifies the identity when unlinking; never reused' }),
    Provider: Nullable(Type.String(), {
      description: 'Name of the provider; null if no provider with this issuer is configured',
    }),
    Issuer: Type.String(),
    Subject: Type.String({ description: 'Identifies the user at the issuer' }),
    LinkedAt: Timestamp(),
  },
  { title: 'SsoIdentity' },
);

export const listIdentities = route({
  method: 'get',
  path: '/admin/account/:id/identity',
  operationId: 'listAccountIdentities',
  tag: 'Accounts',
  summary: 'List the single sign-on identities of an account',
  description: 'Oldest first; at most one for each issuer.',
  access: ['Admin'],
  params: AccountPath,
  response: Type.Object({ Items: Type.Array(Identity) }),
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    if ((await accountAdmin.find(deps.db, params.id)) === undefined) throw unknownAccount(refuse);
    const identities = await ssoIdentities.findOfAccount(deps.db, params.id);
    return {
      Items: identities.map(({ number, issuer, subject, linkedAt }) => ({
        Number: number,
        Provider: deps.sso.providers.find(({ settings }) => settings.issuer === issuer)?.settings.id ?? null,
        Issuer: issuer,
        Subject: subject,
        LinkedAt: linkedAt.toISOString(),
      })),
    };
  },
});
