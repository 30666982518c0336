import { registerAccount } from '@gatehouse/accounts';
import {
  DisplayName,
  Email,
  Integers,
  Locale,
  LoginStatus,
  normalizeEmail,
  Password,
  Type,
} from '@gatehouse/schema';
import { tooManyMails, invalidPassword } from '@gatehouse/http';
import { route } from '../deps.ts';

export const register = route({
  method: 'post',
  path: '/account/register',
  operationId: 'register',
  tag: 'Account',
  summary: 'Register an account',
  description:
    'Creates an account, or mails the owner of a waiting one a code for `/account/reset-password`. The response is ' +
    'the same whether or not the email address has an account. Registering again with a different password before ' +
    'the email address is verified makes the account contested: verification then discards all passwords.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Password: Password(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({
    LoginStatus: Integers(LoginStatus, 'LoginStatus'),
    RegistrationToken: Type.String({
      description: 'Shows `/account/verify` that the caller registered the password',
    }),
  }),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const { Password: password, DisplayName: displayName, Locale: locale } = body;
    const given = { email, password, displayName, locale, addressGroup: request.addressGroup };
    const outcome = await registerAccount(deps, given, request);
    switch (outcome.kind) {
      case 'registered':
        return { LoginStatus: LoginStatus.IsPendingEmailConfirmation, RegistrationToken: outcome.token };
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
      case 'throttled':
        throw tooManyMails(refuse, outcome);
    }
  },
});
