import { requestMail } from '@gatehouse/accounts';
import { tooManyMails } from '@gatehouse/http';
import { Email, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const resendInvitation = route({
  method: 'post',
  path: '/account/resend-invitation',
  operationId: 'requestInvitationAgain',
  tag: 'Guests',
  summary: 'Request the link of an invitation again',
  description:
    'Emails the link of the newest invitation again to a guest who has not accepted any, up to 30 days after the ' +
    'invitation; the previous link becomes invalid. The response and its timing are the same whether or not the email ' +
    'address has been invited.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const asked = {
      email: body.Email,
      purpose: 'invitation',
      table: 'invitation_request',
      addressGroup: request.addressGroup,
    } as const;
    const limited = await requestMail(deps, asked, request);
    if (limited !== undefined) throw tooManyMails(refuse, limited);
    return {};
  },
});
