import {
  actorOf,
  resendInvitation as resendPendingInvitation,
  type RemailRefusal,
} from '@gatehouse/accounts';
import { type ApiError, type Refuse } from '@gatehouse/http';
import { route } from '../../deps.ts';
import { invitationAnswer, InvitationAnswer, InvitationPath } from './invitation-answer.ts';

export const resendInvitation = route({
  method: 'post',
  path: '/admin/invitation/:id/resend',
  operationId: 'resendInvitation',
  tag: 'Invitations',
  summary: 'Resend a pending invitation',
  description:
    'Sends a new link with a full lifetime and invalidates the previous one. Counts towards a separate ' +
    'hourly quota of the address (`MAILS_PER_HOUR`, 429 beyond it), but not towards the daily quota of an ' +
    'inviter. Returns 404 if the invitation has been accepted or deleted, and 409 if its link could not ' +
    'be used.',
  access: ['Admin'],
  recent: { never: 'the link is mailed to its guest only' },
  params: InvitationPath,
  response: InvitationAnswer,
  errors: ['not_found', 'conflict', 'too_many_requests'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const outcome = await resendPendingInvitation(deps, params.id, actorOf(caller), request);
    if (outcome.kind === 'refused') throw refusal(refuse, outcome.reason);
    return invitationAnswer(outcome.invitation);
  },
});

const HOUR_SECONDS = 3600;

function refusal(
  refuse: Refuse<'not_found' | 'conflict' | 'too_many_requests'>,
  reason: RemailRefusal,
): ApiError {
  switch (reason) {
    case 'gone':
      return refuse('not_found', 'Pending invitation not found');
    case 'shut':
      return refuse('conflict', 'The invited account was disabled or expired by an administrator');
    case 'not_waiting':
      return refuse('conflict', 'The account has already been completed');
    case 'inviter_gone':
      return refuse(
        'conflict',
        'The inviter is disabled or no longer exists; someone else must send a new invitation',
      );
    case 'share_used_up':
      return refuse('too_many_requests', 'Hourly limit of invitations to this email address reached', {
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}
