import { requestEmailChange } from '@gatehouse/accounts';
import { addressGroup, tooManyFailures } from '@gatehouse/http';
import { Email, normalizeEmail, Password, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const changeEmail = route({
  method: 'post',
  path: '/account/change-email',
  operationId: 'changeEmail',
  tag: 'Account',
  summary: 'Request a change of email address',
  description:
    'Sends a code to the new address; nothing changes until it is confirmed. The response and its timing are the ' +
    'same if the address already has an account, whose owner is then notified. A wrong password counts as a ' +
    'failed login.',
  access: 'session',
  body: Type.Object({ Email: Email(), Password: Password() }),
  response: Type.Object({}),
  errors: ['wrong_password', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const own = {
      accountId: caller.accountId,
      email: normalizeEmail(body.Email) ?? body.Email,
      password: body.Password,
      addressGroup: addressGroup(request.address),
    };
    const outcome = await requestEmailChange(deps, own, request);
    switch (outcome.kind) {
      case 'requested':
        return {};
      case 'wrong_password':
        throw refuse('wrong_password');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
