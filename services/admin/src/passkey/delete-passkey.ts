import { actorOf, removeLostPasskey } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath } from '../account-answer.ts';
import { OWN_SECOND_FACTOR, refuseOwnAccount } from '../refuse-own-account.ts';

export const deleteAccountPasskey = route({
  method: 'delete',
  path: '/admin/account/:id/passkey/:passkeyId',
  operationId: 'removeAccountPasskey',
  tag: 'Accounts',
  summary: 'Remove a lost passkey',
  description: 'Also ends the sessions of the account. The owner is notified by email.',
  access: ['Admin'],
  recent: true,
  params: Type.Object({ ...AccountPath.properties, passkeyId: Uuid() }),
  errors: ['not_found', 'own_account'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    refuseOwnAccount(refuse, caller, params.id, OWN_SECOND_FACTOR);
    const which = { accountId: params.id, id: params.passkeyId };
    const outcome = await removeLostPasskey(deps, which, { actor: actorOf(caller), origin: request });
    if (outcome.kind === 'unknown') throw refuse('not_found', 'Passkey not found');
    return undefined;
  },
});
