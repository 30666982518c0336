import { actorOf, startReset } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, administered } from './account-answer.ts';

export const resetPassword = route({
  method: 'post',
  path: '/admin/account/:id/reset-password',
  operationId: 'startPasswordReset',
  tag: 'Accounts',
  summary: 'Have the owner mailed a code that sets a new password',
  description:
    'As if the owner had asked for it, within the same share of mails an hour. The present password works until ' +
    'then; `NewPasswordRequired` keeps it from being used. 409 while the account could not log in anyway.',
  access: ['Admin'],
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request }) => {
    request.note({ targetId: params.id });
    administered(await startReset(deps, params.id, { actor: actorOf(caller), origin: request }));
    return {};
  },
});
