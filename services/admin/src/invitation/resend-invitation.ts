import {
  actorOf,
  publishSessions,
  resendInvitation as resendPendingInvitation,
  type RemailRefusal,
} from '@gatehouse/accounts';
import { inTransaction } from '@gatehouse/db';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { invitationAnswer, InvitationAnswer, InvitationPath } from './invitation-answer.ts';

export const resendInvitation = route({
  method: 'post',
  path: '/admin/invitation/:id/resend',
  operationId: 'resendInvitation',
  tag: 'Invitations',
  summary: 'Mail a pending invitation anew',
  description:
    'With a new link that lives its full time; the older one is void. An expired invitation works again. It counts towards the invitations that administrators have an address mailed in an hour (`MAILS_PER_HOUR`; 429 beyond), and not towards anybody’s day. 404 for an invitation that was accepted or deleted; 409 where a link would open nothing.',
  access: ['Admin'],
  params: InvitationPath,
  response: InvitationAnswer,
  errors: ['not_found', 'conflict', 'too_many_requests'],
  handler: async ({ params, caller, deps, request }) => {
    const { invitation, changedSessionIds } = await inTransaction(deps.db, request, async (tx) => {
      const outcome = await resendPendingInvitation(deps, tx, params.id, actorOf(caller), request);
      if ('refused' in outcome) throw refusal(outcome.refused);
      return outcome;
    });
    await publishSessions(deps, changedSessionIds);
    return invitationAnswer(invitation);
  },
});

const HOUR_SECONDS = 3600;

function refusal(reason: RemailRefusal): ApiError {
  switch (reason) {
    case 'gone':
      return new ApiError('not_found', 'No such invitation is pending');
    case 'shut':
      return new ApiError('conflict', 'An administrator has disabled or expired the invited account');
    case 'not_waiting':
      return new ApiError('conflict', 'The account waits for no guest: it is complete');
    case 'inviter_gone':
      return new ApiError('conflict', 'Who invited is disabled or gone; somebody else has to invite anew');
    case 'share_used_up':
      return new ApiError('too_many_requests', 'This address has had its invitations of the hour', {
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}
