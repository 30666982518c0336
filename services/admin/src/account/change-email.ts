import { actorOf, changeEmail as changeEmailOf } from '@gatehouse/accounts';
import { Email, normalizeEmail, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from '../account-answer.ts';
import { refuseOwnAccount } from '../refuse-own-account.ts';

export const changeEmail = route({
  method: 'post',
  path: '/admin/account/:id/change-email',
  operationId: 'changeAccountEmail',
  tag: 'Accounts',
  summary: 'Change the email address of an account',
  description:
    'Sends a code to the new address, with which the owner confirms it; nothing changes until then. With `Force` it ' +
    'changes now, and codes that were mailed before become invalid. Both addresses get an email, and sessions remain active.',
  access: ['Admin'],
  recent: { when: 'the account is an administrator’s, or with `Force`' },
  params: AccountPath,
  body: Type.Object({
    Email: Email(),
    Force: Type.Optional(
      Type.Boolean({
        description:
          'Changes it without a confirmation by the owner. `false` by default, which is 409 if the owner cannot log in',
      }),
    ),
  }),
  response: Type.Object({}),
  errors: [
    'not_found',
    'conflict',
    'own_account',
    'email_taken',
    'confirmation_required',
    'too_many_requests',
  ],
  handler: async ({ params, body, caller, deps, request, isConfirmed, refuse }) => {
    refuseOwnAccount(refuse, caller, params.id, 'Change your own email address on the account pages');
    request.addToLog({ targetId: params.id });
    const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
    const order = { email: normalizeEmail(body.Email) ?? body.Email, isForced: body.Force === true };
    const outcome = await changeEmailOf(deps, params.id, order, by);
    if (outcome.kind === 'email_taken') throw refuse('email_taken');
    if (outcome.kind === 'throttled') {
      const { retryAfterSeconds } = outcome;
      throw refuse('too_many_requests', 'Hourly limit of codes for this account or address reached', {
        retryAfterSeconds,
      });
    }
    changedAccountOf(refuse, outcome);
    return {};
  },
});
