import { actorOf, removeLostTwoFactor } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from './account-answer.ts';

export const deleteTwoFactor = route({
  method: 'delete',
  path: '/admin/account/:id/two-factor',
  operationId: 'removeAccountTwoFactor',
  tag: 'Accounts',
  summary: 'Remove a second factor that its owner has lost',
  description:
    'Its recovery codes go with it and the sessions of the account end; the owner gets a mail. Where two-factor is ' +
    'required, the next login sets it up anew. 409 when it is not on.',
  access: ['Admin'],
  params: AccountPath,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request }) => {
    request.note({ targetId: params.id });
    changedAccountOf(await removeLostTwoFactor(deps, params.id, { actor: actorOf(caller), origin: request }));
    return undefined;
  },
});
