import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { Email, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { requestCode } from '../owner-proof.ts';

export const requestLoginCode = route('POST /account/login/email', {
  operationId: 'requestLoginCode',
  tag: 'Sessions',
  summary: 'Request a login code by email',
  description:
    'Emails a code for `POST /account/login`, which works only together with the `RequestToken` of this response, ' +
    'within ten minutes. The response and its timing are the same whether or not the email address has an account ' +
    'that can log in this way. Returns 409 if `EMAIL_LOGIN` is `off`.',
  access: 'public',
  status: 202,
  body: Type.Object({ Email: Email() }),
  response: Type.Object({
    RequestToken: Type.String({
      description: 'Keep it in the browser or app that asked: the code is worth nothing without it',
    }),
  }),
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ body, ...call }) => {
    if (call.deps.settings.EMAIL_LOGIN === 'off') throw call.refuse('conflict', 'Login by email is off');
    const requestToken = newInvitationToken();
    const requestHash = hashInvitationToken(requestToken);
    await requestCode(call, { email: body.Email, purpose: 'login', requestHash });
    return { RequestToken: requestToken };
  },
});
