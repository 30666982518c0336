import { changePassword as changeOwnPassword } from '@gatehouse/accounts';
import { addressGroup, tooManyFailures, invalidPassword } from '@gatehouse/http';
import { Password, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const changePassword = route({
  method: 'post',
  path: '/account/change-password',
  operationId: 'changePassword',
  tag: 'Account',
  summary: 'Change your password',
  description:
    'Ends all other sessions of the account and invalidates all codes that were emailed to it. A wrong current ' +
    'password counts as a failed login.',
  access: 'session',
  body: Type.Object({ CurrentPassword: Password(), Password: Password() }),
  response: Type.Object({}),
  errors: ['wrong_password', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const own = {
      accountId: caller.accountId,
      sessionId: caller.sessionId,
      current: body.CurrentPassword,
      password: body.Password,
      addressGroup: addressGroup(request.address),
    };
    const outcome = await changeOwnPassword(deps, own, request);
    switch (outcome.kind) {
      case 'changed':
        return {};
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
      case 'wrong_password':
        throw refuse('wrong_password');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
