import { verifyEmail as verifyOwnEmail } from '@gatehouse/accounts';
import { addressGroup, tooManyFailures } from '@gatehouse/http';
import { Code, Email, normalizeEmail, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const verifyEmail = route({
  method: 'post',
  path: '/account/verify',
  operationId: 'verifyEmail',
  tag: 'Account',
  summary: 'Verify an email address with an emailed code',
  description:
    'Accepts any code that was sent within the last 24 hours; using one invalidates the others. If the account ' +
    'was registered with two different passwords, both are discarded and the owner sets one with ' +
    '`/account/forgot-password`.',
  access: 'public',
  body: Type.Object({ Email: Email(), Code: Code() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const given = {
      email: normalizeEmail(body.Email) ?? '',
      typed: typedCode(body.Code),
      addressGroup: addressGroup(request.address),
    };
    const outcome = await verifyOwnEmail(deps, given, request);
    switch (outcome.kind) {
      case 'verified':
        return {};
      case 'invalid_code':
        throw refuse('invalid_code');
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
