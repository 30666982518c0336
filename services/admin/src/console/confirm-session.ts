import { confirmSession } from '@gatehouse/accounts';
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
    const own = {
      accountId,
      sessionId,
      password: body.Password,
      addressGroup: addressGroup(request.address),
    };
    const outcome = await confirmSession(deps, own, request);
    switch (outcome.kind) {
      case 'confirmed':
        return reply({ status: 204 });
      case 'wrong_password':
        throw refuse('wrong_password');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
