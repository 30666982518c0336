import { actorOf, mailNotice, write } from '@gatehouse/accounts';
import { accountAdmin, recoveryCodes, twoFactor } from '@gatehouse/db';
import { unknownAccount } from '../account-answer.ts';
import { route } from '../deps.ts';
import { OWN_SECOND_FACTOR, refuseOwnAccount } from '../bulk-order.ts';

export const deleteTwoFactor = route('DELETE /admin/account/:id/two-factor', {
  operationId: 'removeAccountTwoFactor',
  tag: 'Accounts',
  summary: 'Remove a lost second factor',
  description:
    'Also removes the recovery codes, ends the sessions of the account and notifies the owner by email. ' +
    'If two-factor authentication is required, the next login sets it up again. Returns 409 if it is not ' +
    'enabled.',
  recent: true,
  errors: ['not_found', 'conflict', 'own_account', 'confirmation_required'],
  handler: async ({ params: { id }, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: id });
    refuseOwnAccount(refuse, caller, id, OWN_SECOND_FACTOR);
    const author = { actor: actorOf(caller), origin: request, target: { kind: 'Account', id } } as const;
    return write(deps, author, async (tx) => {
      const account = await accountAdmin.lock(tx, id);
      if (account === undefined) throw unknownAccount(refuse);
      if (!(await twoFactor.remove(tx, id)))
        throw refuse('conflict', 'Two-factor authentication is not enabled');
      // A passkey may need them.
      await recoveryCodes.deleteUnneeded(tx, id);
      // The owner's mail does not contain the administrator's address.
      const { traceId } = request;
      await mailNotice(deps, tx, account, 'account.two-factor-disabled', {}, { traceId });
      tx.audit('account.two-factor-removed');
      // An attacker with a stolen session could otherwise set up a second factor.
      await tx.endSessions({ kind: 'account', accountId: id }, 'two_factor_removed');
      return undefined;
    });
  },
});
