import { ssoIdentities } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const OwnIdentity = Type.Object(
  {
    Number: Type.Integer({ description: 'Identifies the identity when unlinking; never reused' }),
    Provider: Type.String({ description: 'ID of the provider through which it was linked' }),
    Name: Nullable(Type.String(), { description: 'The display name of the provider, if it is offered' }),
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
