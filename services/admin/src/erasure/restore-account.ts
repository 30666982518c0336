import { actorOf, cancelErasure } from '@gatehouse/accounts';
import { AccountAnswer, accountAnswer, AccountPath, unknownAccount } from '../account-answer.ts';
import { route } from '../deps.ts';

export const restoreAccountOf = route({
  method: 'post',
  path: '/admin/account/:id/restore',
  operationId: 'restoreAccountOf',
  tag: 'Accounts',
  summary: 'Cancel the erasure of an account',
  description:
    'Possible while the erasure is pending. Restores the account; it is disabled if an administrator had ' +
    'disabled it. Sessions that ended stay ended, and content that was transferred stays with its new owner.',
  access: ['Admin'],
  recent: true,
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
