import { actorOf, type inviteAccount, type startReset } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from '../account-answer.ts';

/**
 * A request of an administrator to mail the owner of an account something. `things`: what is mailed, whose number an
 * hour is limited.
 */
export function mailOwner({
  mail,
  things,
  ...about
}: {
  path: '/admin/account/:id/invite' | '/admin/account/:id/reset-password';
  operationId: string;
  summary: string;
  description: string;
  mail: typeof inviteAccount | typeof startReset;
  things: string;
}) {
  return route({
    ...about,
    method: 'post',
    tag: 'Accounts',
    access: ['Admin'],
    recent: { when: 'the account is an administrator’s' },
    params: AccountPath,
    response: Type.Object({}),
    errors: ['not_found', 'conflict', 'confirmation_required', 'too_many_requests'],
    handler: async ({ params, caller, deps, request, isConfirmed, refuse }) => {
      request.addToLog({ targetId: params.id });
      const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
      const outcome = await mail(deps, params.id, by);
      if (outcome.kind === 'throttled') {
        const { retryAfterSeconds } = outcome;
        const detail = `Hourly limit of ${things} for this account reached`;
        throw refuse('too_many_requests', detail, { retryAfterSeconds });
      }
      changedAccountOf(refuse, outcome);
      return {};
    },
  });
}
