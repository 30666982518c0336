import { checkPassword } from '@gatehouse/accounts';
import { accounts, inTransaction, sessionConfirmations } from '@gatehouse/db';
import { addressGroup, reply, tooManyFailures } from '@gatehouse/http';
import { Password, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const confirmConsoleSession = route({
  method: 'post',
  path: '/console/session/confirm',
  operationId: 'confirmConsoleSession',
  tag: 'Console',
  summary: 'Confirm your password',
  description:
    'Dangerous actions ask a browser’s session for it: for five minutes after this they are let through. A wrong password ' +
    'counts as a failed login.',
  access: 'admin session',
  body: Type.Object({ Password: Password() }),
  errors: ['wrong_password', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { accountId, sessionId } = caller;
    const own = await accounts.findById(deps.db, accountId);
    const outcome = await checkPassword(deps, {
      userName: own?.email ?? '',
      password: body.Password,
      addressGroup: addressGroup(request.address),
    });
    if ('retryAfterSeconds' in outcome) throw tooManyFailures(refuse, outcome);
    if ('failed' in outcome || outcome.pending === true || outcome.account.id !== accountId)
      throw refuse('wrong_password');
    await inTransaction(deps.db, request, (tx) => sessionConfirmations.note(tx, sessionId));
    return reply({ status: 204 });
  },
});
