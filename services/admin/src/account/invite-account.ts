import { actorOf, inviteAccount as inviteOwner } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from '../account-answer.ts';

export const inviteAccount = route({
  method: 'post',
  path: '/admin/account/:id/invite',
  operationId: 'inviteAccount',
  tag: 'Accounts',
  summary: 'Send the owner a link that completes the account',
  description:
    'For accounts that wait for their owner (`LoginStatus` 5 and 6). The link works for seven days and invalidates the ' +
    'previous one. At most `MAILS_PER_HOUR` such emails are sent to an account in an hour; beyond that the request ' +
    'fails with 429.',
  access: ['Admin'],
  recent: { when: 'the account is an administrator’s' },
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found', 'conflict', 'confirmation_required', 'too_many_requests'],
  handler: async ({ params, caller, deps, request, isConfirmed, refuse }) => {
    request.addToLog({ targetId: params.id });
    const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
    const outcome = await inviteOwner(deps, params.id, by);
    if (outcome.kind === 'throttled') {
      const { retryAfterSeconds } = outcome;
      const detail = 'Hourly limit of invitations for this account reached';
      throw refuse('too_many_requests', detail, { retryAfterSeconds });
    }
    changedAccountOf(refuse, outcome);
    return {};
  },
});
