import { confirmEmail as confirmOwnEmail } from '@gatehouse/accounts';
import { tooManyFailures } from '@gatehouse/http';
import { Code, Type, typedCode } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const confirmEmail = route({
  method: 'post',
  path: '/account/confirm-email',
  operationId: 'confirmEmail',
  tag: 'Account',
  summary: 'Confirm a new email address with an emailed code',
  description:
    'The new address counts as verified, earlier codes become invalid, and a notice is sent to the previous ' +
    'address. Sessions remain active. Returns 409 if another account has taken the address in the meantime; the ' +
    'holder of the code controls that mailbox and may know.',
  access: 'session',
  body: Type.Object({ Code: Code() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'email_taken', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const typed = typedCode(body.Code);
    const own = { accountId: caller.accountId, typed, addressGroup: request.addressGroup };
    const outcome = await confirmOwnEmail(deps, own, request);
    switch (outcome.kind) {
      case 'confirmed':
        return {};
      case 'invalid_code':
        throw refuse('invalid_code');
      case 'email_taken':
        throw refuse('email_taken');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
