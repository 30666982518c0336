import { ssoIdentities } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const OwnIdentity = Type.Object(
  {
    Number: Type.Integer({ description: 'Identifies it when unlinking; never used again for another' }),
    Provider: Nullable(Type.String(), {
      description: 'ID of the provider that it was linked by, if that is known',
    }),
    Name: Nullable(Type.String(), { description: 'What the provider is called, if it is offered' }),
    Issuer: Type.String(),
    LinkedAt: Timestamp(),
  },
  { title: 'OwnIdentity' },
);

export const listOwnIdentities = route({
  method: 'get',
  path: '/account/identity',
  operationId: 'listOwnIdentities',
  tag: 'Single sign-on',
  summary: 'List your single sign-on identities',
  description: 'Oldest first; at most one for each issuer.',
  access: 'session',
  response: Type.Object({ Items: Type.Array(OwnIdentity) }),
  handler: async ({ caller, deps }) => {
    const own = await ssoIdentities.findOfAccount(deps.db, caller.accountId);
    return {
      Items: own.map(({ number, provider, issuer, linkedAt }) => ({
        Number: number,
        Provider: provider,
        Name: deps.pages.providers.find(({ Id }) => Id === provider)?.Name ?? null,
        Issuer: issuer,
        LinkedAt: linkedAt.toISOString(),
      })),
    };
  },
});
