import { describePasswordFault, takeMailShare } from '@gatehouse/accounts';
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
import { addressGroup, tooManyMails, unfitPassword } from '@gatehouse/http';
import { route } from '../deps.ts';
import { registerAccount } from './registration.ts';

export const register = route({
  method: 'post',
  path: '/account/register',
  operationId: 'register',
  tag: 'Account',
  summary: 'Create an account, or complete one that waits for its owner',
  description:
    'The answer is the same whether or not the email has an account; a mail tells its owner the rest. An account that ' +
    'is registered again with another password before its email is verified is contested: verifying it leaves no ' +
    'password at all, and its owner chooses one by `/account/forgot-password`.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Password: Password(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({ LoginStatus: Integers(LoginStatus) }),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const fault = describePasswordFault(deps, body.Password, email);
    if (fault !== undefined) throw unfitPassword(fault);
    const limited = await takeMailShare(deps, addressGroup(request.address));
    if (limited !== undefined) throw tooManyMails(limited);
    const { Password: password, DisplayName: displayName, Locale: locale } = body;
    await registerAccount(deps, { email, password, displayName, locale }, request);
    return { LoginStatus: LoginStatus.IsPendingEmailConfirmation };
  },
});
