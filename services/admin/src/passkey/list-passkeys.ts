import { accountAdmin, passkeys } from '@gatehouse/db';
import { Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, unknownAccount } from '../account-answer.ts';

const AccountPasskey = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    IsBackedUp: Type.Boolean({ description: 'Whether it is synchronized to other devices of its owner' }),
    CreatedAt: Timestamp(),
    LastUsedAt: Nullable(Timestamp(), { description: 'null if it was never used' }),
  },
  { title: 'AccountPasskey' },
);

export const listAccountPasskeys = route({
  method: 'get',
  path: '/admin/account/:id/passkey',
  operationId: 'listAccountPasskeys',
  tag: 'Accounts',
  summary: 'List the passkeys of an account',
  description: 'Oldest first.',
  access: ['Admin'],
  params: AccountPath,
  response: Type.Object({ Items: Type.Array(AccountPasskey) }),
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    if ((await accountAdmin.find(deps.db, params.id)) === undefined) throw unknownAccount(refuse);
    const all = await passkeys.findOfAccount(deps.db, params.id);
    return {
      Items: all.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => ({
        Id: id,
        Name: name,
        IsBackedUp: isBackedUp,
        CreatedAt: createdAt.toISOString(),
        LastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    };
  },
});
