import { Email, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { requestCode } from './request-code.ts';

export const forgotPassword = route({
  method: 'post',
  path: '/account/forgot-password',
  operationId: 'forgotPassword',
  tag: 'Account',
  summary: 'Request a password reset code',
  description:
    'Emails a code for setting a new password. The response and its timing are the same whether or not the email ' +
    'address has an account.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    await requestCode(deps, { email: body.Email, purpose: 'reset' }, request, refuse);
    return {};
  },
});
