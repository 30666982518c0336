import { Email, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { requestCode } from './request-code.ts';

export const resendVerification = route({
  method: 'post',
  path: '/account/resend-verification',
  operationId: 'resendVerification',
  tag: 'Account',
  summary: 'Request another email verification code',
  description:
    'Emails another code to an account that waits for its email address to be verified; earlier codes stay valid. The ' +
    'response and its timing are the same whether or not the email address has such an account.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    await requestCode(deps, { email: body.Email, purpose: 'verify' }, request, refuse);
    return {};
  },
});
