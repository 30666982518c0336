import { verifyEmail as verifyOwnEmail } from '@gatehouse/accounts';
import { tooManyFailures } from '@gatehouse/http';
import { Code, Email, normalizeEmail, Password, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const verifyEmail = route({
  method: 'post',
  path: '/account/verify',
  operationId: 'verifyEmail',
  tag: 'Account',
  summary: 'Verify an email address with an emailed code',
  description:
    'Accepts any code that was sent within the last 24 hours; using one invalidates the others. Password and name are ' +
    'discarded if a `RegistrationToken` or `Password` is given that does not belong to the registration, or if the ' +
    'account was registered with two passwords: the owner then sets one with `/account/forgot-password`.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Code: Code(),
    RegistrationToken: Type.Optional(
      Type.String({ maxLength: 200, description: 'From the response of `/account/register`' }),
    ),
    Password: Type.Optional(Password()),
  }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const given = {
      email: normalizeEmail(body.Email) ?? '',
      typed: typedCode(body.Code),
      registrant: { token: body.RegistrationToken, password: body.Password },
      addressGroup: request.addressGroup,
    };
    const outcome = await verifyOwnEmail(deps, given, request);
    switch (outcome.kind) {
      case 'verified':
        return {};
      case 'invalid_code':
        throw refuse('invalid_code');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
