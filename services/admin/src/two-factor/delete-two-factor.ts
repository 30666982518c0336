import { actorOf, removeLostTwoFactor } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from '../account-answer.ts';
import { OWN_SECOND_FACTOR, refuseOwnAccount } from '../refuse-own-account.ts';

export const deleteTwoFactor = route({
  method: 'delete',
  path: '/admin/account/:id/two-factor',
  operationId: 'removeAccountTwoFactor',
  tag: 'Accounts',
  summary: 'Remove a lost second factor',
  description:
    'Also removes the recovery codes, ends the sessions of the account and notifies the owner by email. ' +
    'If two-factor authentication is required, the next login sets it up again. Returns 409 if it is not ' +
    'enabled.',
  access: ['Admin'],
  recent: true,
  params: AccountPath,
  errors: ['not_found', 'conflict', 'own_account', 'confirmation_required'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    refuseOwnAccount(refuse, caller, params.id, OWN_SECOND_FACTOR);
    changedAccountOf(
      refuse,
      await removeLostTwoFactor(deps, params.id, { actor: actorOf(caller), origin: request }),
    );
    return undefined;
  },
});
