import { actorOf, cancelErasure } from '@gatehouse/accounts';
import { AccountAnswer, accountAnswer, AccountPath, unknownAccount } from '../account-answer.ts';
import { route } from '../../deps.ts';

export const restoreAccountOf = route({
  method: 'post',
  path: '/admin/account/:id/restore',
  operationId: 'restoreAccountOf',
  tag: 'Accounts',
  summary: 'Take back the erasure of an account',
  description:
    'While it is pending. The account is as before, disabled if an administrator had disabled it; ended sessions stay ' +
    'ended, and content that was given to somebody else stays theirs.',
  access: ['Admin'],
  params: AccountPath,
  response: AccountAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    const outcome = await cancelErasure(deps, params.id, actorOf(caller), request);
    switch (outcome.kind) {
      case 'cancelled':
        return accountAnswer(outcome.account);
      case 'unknown':
        throw unknownAccount(refuse);
      case 'conflict':
        throw refuse('conflict', 'The account is not to be erased, or its erasure has begun');
    }
  },
});
