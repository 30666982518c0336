import { actorOf, startReset } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from '../account-answer.ts';

export const resetPassword = route({
  method: 'post',
  path: '/admin/account/:id/reset-password',
  operationId: 'startPasswordReset',
  tag: 'Accounts',
  summary: 'Send a password reset code to the owner',
  description:
    'Same as a reset requested by the owner, but with a separate quota (`MAILS_PER_HOUR`, 429 beyond it). ' +
    'The current password remains valid until the reset; set `NewPasswordRequired` to prevent its use. ' +
    'Returns 409 if the account could not log in even with a new password.',
  access: ['Admin'],
  recent: { when: 'the account is an administrator’s' },
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found', 'conflict', 'confirmation_required', 'too_many_requests'],
  handler: async ({ params, caller, deps, request, isConfirmed, refuse }) => {
    request.addToLog({ targetId: params.id });
    const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
    const outcome = await startReset(deps, params.id, by);
    if (outcome.kind === 'throttled') {
      const { retryAfterSeconds } = outcome;
      const detail = 'Hourly limit of reset codes for this account reached';
      throw refuse('too_many_requests', detail, { retryAfterSeconds });
    }
    changedAccountOf(refuse, outcome);
    return {};
  },
});
