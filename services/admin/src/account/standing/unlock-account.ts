import { actorOf, unlockAccount as unlock } from '@gatehouse/accounts';
import { confirmationRequired } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath, unknownAccount } from '../../account-answer.ts';

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
  recent: { when: 'the account is an administrator’s' },
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found', 'confirmation_required'],
  handler: async ({ params, caller, deps, request, isConfirmed, refuse }) => {
    request.addToLog({ targetId: params.id });
    const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
    const outcome = await unlock(deps, params.id, by);
    if (outcome.kind === 'unproven') throw confirmationRequired(refuse);
    if (outcome.kind === 'unknown') throw unknownAccount(refuse);
    return {};
  },
});
