import { actorOf, unlockAccount as unlock } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath, unknownAccount } from '../account-answer.ts';

export const unlockAccount = route({
  method: 'post',
  path: '/admin/account/:id/unlock',
  operationId: 'unlockAccount',
  tag: 'Accounts',
  summary: 'Clear failed logins',
  description:
    'Clears the failed logins (password and second factor) of the account, so that the next attempt does not ' +
    'have to wait. Limits on client addresses are not affected. Has no effect if there are none.',
  access: ['Admin'],
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    const outcome = await unlock(deps, params.id, { actor: actorOf(caller), origin: request });
    if (outcome.kind === 'unknown') throw unknownAccount(refuse);
    return {};
  },
});
