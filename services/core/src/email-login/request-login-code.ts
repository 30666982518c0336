import { requestEmailLogin } from '@gatehouse/accounts';
import { tooManyMails } from '@gatehouse/http';
import { Email, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const requestLoginCode = route({
  method: 'post',
  path: '/account/login/email',
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
  handler: async ({ body, deps, request, refuse }) => {
    const asked = { email: body.Email, addressGroup: request.addressGroup };
    const outcome = await requestEmailLogin(deps, asked, request);
    switch (outcome.kind) {
      case 'requested':
        return { RequestToken: outcome.requestToken };
      case 'off':
        throw refuse('conflict', 'Login by email is off');
      case 'throttled':
        throw tooManyMails(refuse, outcome);
    }
  },
});
