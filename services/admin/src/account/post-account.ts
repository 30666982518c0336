import { actorOf, createAccount, createInvitedAccount, describePasswordFault } from '@gatehouse/accounts';
import { accountAdmin } from '@gatehouse/db';
import { confirmationRequired, invalidRequest, reply, invalidPassword, type ApiError } from '@gatehouse/http';
import {
  DisplayName,
  distinctGroups,
  Email,
  Groups,
  Locale,
  normalizeEmail,
  Password,
  Type,
} from '@gatehouse/schema';
import { route } from '../deps.ts';
import { accountAnswer, AccountAnswer, NewRole, unknownAccount } from '../account-answer.ts';

export const postAccount = route({
  method: 'post',
  path: '/admin/account',
  operationId: 'createAccount',
  tag: 'Accounts',
  summary: 'Create an account',
  description:
    'An account with a password can log in immediately; one without is completed by its owner with a ' +
    'mailed code (`LoginStatus` 5, or 6 with `IsMigrated`; with `Invite` in a mail now). Guest accounts are created only by ' +
    'invitation. With `IsService` the account is for a program, and needs a `Password` and the role ' +
    '`User`.',
  access: ['Admin'],
  recent: { when: 'the account gets the role Admin or groups, or is a service account' },
  body: Type.Object({
    Email: Email(),
    Password: Type.Optional(Password()),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
    Role: Type.Optional(NewRole),
    IsMigrated: Type.Optional(Type.Boolean()),
    IsService: Type.Optional(Type.Boolean()),
    Groups: Type.Optional(Groups()),
    Invite: Type.Optional(
      Type.Boolean({
        description:
          'Mails the owner a link that works for seven days and completes the account, which then must not get a ' +
          '`Password`. `false` by default: nobody is told',
      }),
    ),
  }),
  response: AccountAnswer,
  headers: { response: { Location: 'The URL of the account' } },
  status: 201,
  errors: ['email_taken', 'not_found', 'confirmation_required'],
  handler: async ({ body, caller, deps, request, isConfirmed, refuse }) => {
    const groups = distinctGroups(body.Groups ?? []);
    const isLasting = body.Role === 'Admin' || body.IsService === true || groups.length > 0;
    if (isLasting && !(await isConfirmed())) throw confirmationRequired(refuse);
    const { Password: password, IsMigrated: isMigrated = false } = body;
    const email = normalizeEmail(body.Email) ?? body.Email;
    const fault = password === undefined ? undefined : await describePasswordFault(deps, password, email);
    if (fault !== undefined) throw invalidPassword(fault);
    const isInvited = body.Invite === true;
    if (isMigrated && password !== undefined) throw notWithPassword('/IsMigrated');
    if (isInvited && password !== undefined) throw notWithPassword('/Invite');
    const { Role: role = 'User', IsService: isService = false } = body;
    if (isService && (password === undefined || role !== 'User')) throw invalidServiceAccount(role);
    const given = {
      email,
      password,
      displayName: body.DisplayName,
      locale: body.Locale,
      role,
      isMigrated,
      isService,
      groups,
    };
    const by = { actor: actorOf(caller), origin: request };
    const id = await (isInvited ? createInvitedAccount(deps, given, by) : createAccount(deps, given, by));
    if (id === undefined) throw refuse('email_taken');
    deps.relay.wake();
    request.addToLog({ targetId: id });
    const account = await accountAdmin.find(deps.db, id);
    if (account === undefined) throw unknownAccount(refuse);
    return reply({ headers: { Location: `/admin/account/${id}` }, body: accountAnswer(account) });
  },
});

function notWithPassword(pointer: string): ApiError {
  const message = 'cannot be combined with Password';
  return invalidRequest(undefined, { errors: [{ pointer, message, code: 'does_not_go_with' }] });
}

/** A service account without a way to log in, or with more rights than a user. */
function invalidServiceAccount(role: string): ApiError {
  const error =
    role === 'User'
      ? ({ pointer: '/Password', message: 'is required with IsService', code: 'required' } as const)
      : ({ pointer: '/Role', message: 'must be User with IsService', code: 'does_not_go_with' } as const);
  return invalidRequest(undefined, { errors: [error] });
}
