import { resetPassword as resetOwnPassword } from '@gatehouse/accounts';
import { tooManyFailures, invalidPassword } from '@gatehouse/http';
import {
  Code,
  DisplayName,
  Email,
  Locale,
  normalizeEmail,
  Password,
  Type,
  typedCode,
} from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const resetPassword = route({
  method: 'post',
  path: '/account/reset-password',
  operationId: 'resetPassword',
  tag: 'Account',
  summary: 'Reset the password with an emailed code',
  description:
    'Ends all sessions of the account. The email address counts as verified, because the code was sent to it. An ' +
    'account that was waiting for its owner is completed, with the given name and language.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Code: Code(),
    Password: Password(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const given = {
      email: normalizeEmail(body.Email) ?? '',
      typed: typedCode(body.Code),
      password: body.Password,
      displayName: body.DisplayName,
      locale: body.Locale,
      addressGroup: request.addressGroup,
    };
    const outcome = await resetOwnPassword(deps, given, request);
    switch (outcome.kind) {
      case 'reset':
        return {};
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
      case 'invalid_code':
        throw refuse('invalid_code');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
