import { actorOf, startReset } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { AccountPath, changedAccountOf } from './account-answer.ts';

export const resetPassword = route({
  method: 'post',
  path: '/admin/account/:id/reset-password',
  operationId: 'startPasswordReset',
  tag: 'Accounts',
  summary: 'Have the owner mailed a code that sets a new password',
  description:
    'As if the owner had asked for it, within a share of mails an hour that administrators have for themselves ' +
    '(`MAILS_PER_HOUR`; 429 beyond, and nothing is mailed). The present password works until then; ' +
    '`NewPasswordRequired` keeps it from being used. It completes an administrator’s account that was made without ' +
    'a password. 409 while the account could not log in anyway.',
  access: ['Admin'],
  params: AccountPath,
  response: Type.Object({}),
  errors: ['not_found', 'conflict', 'too_many_requests'],
  handler: async ({ params, caller, deps, request }) => {
    request.note({ targetId: params.id });
    const outcome = await startReset(deps, params.id, { actor: actorOf(caller), origin: request });
    if ('retryAfterSeconds' in outcome) {
      throw new ApiError('too_many_requests', 'This account has had its reset codes of the hour', outcome);
    }
    changedAccountOf(outcome);
    return {};
  },
});
