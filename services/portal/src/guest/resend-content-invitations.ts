import { actorOf, distinctEmails, RESEND_RESULTS, resendInvitations } from '@gatehouse/accounts';
import { Email, Enum, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { managedContent } from './managed-content.ts';

export const resendContentInvitations = route({
  method: 'post',
  path: '/account/content/:id/resend',
  operationId: 'resendContentInvitations',
  tag: 'Guests',
  summary: 'Resend pending invitations to content that you own',
  description:
    'Sends a new link to each of these addresses that has been invited and has not registered yet ' +
    '(`Reinvited`), and invalidates the previous one. Other addresses are not invited (`NotInvited`). ' +
    'Counts towards the same quotas as inviting.',
  access: ['User', 'Admin', 'Service'],
  params: Type.Object({ id: Uuid() }),
  body: Type.Object({ Emails: Type.Array(Email(), { minItems: 1, maxItems: 100 }) }),
  response: Type.Object({
    Items: Type.Array(
      Type.Object({ Email: Type.String(), Result: Enum(RESEND_RESULTS) }, { title: 'ResentInvitation' }),
    ),
  }),
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const sharing = await managedContent(refuse, deps, caller, params.id);
    const emails = distinctEmails(body.Emails);
    const outcome = await resendInvitations(deps, { ...sharing, emails, actor: actorOf(caller) }, request);
    switch (outcome.kind) {
      case 'resent':
        return { Items: outcome.resent.map(({ email, result }) => ({ Email: email, Result: result })) };
      case 'gone':
        throw refuse('not_found', 'Content not found');
      case 'throttled': {
        const { retryAfterSeconds } = outcome;
        throw refuse('too_many_requests', 'Daily invitation limit reached', { retryAfterSeconds });
      }
    }
  },
});
