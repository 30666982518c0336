import { takeBackEmail as takeBackOwnEmail } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const CODE_LENGTH_MAX = 100;

export const takeBackEmail = route({
  method: 'post',
  path: '/account/take-back-email',
  operationId: 'takeBackEmail',
  tag: 'Account',
  summary: 'Take back a change of email address',
  description:
    'Send the code from the link that was mailed to the former address, within seven days. The account has that ' +
    'address again, all sessions end, passkeys and linked identities added since the change are removed, and the ' +
    'owner must choose a new password. Returns 409 if another account has the address by now.',
  access: 'public',
  body: Type.Object({
    // As with invitations, any invalid value gets the same response as a wrong code.
    Code: Type.Optional(Type.Unknown({ description: 'The `Code` parameter of the link, as a string' })),
  }),
  response: Type.Object({}),
  errors: ['invalid_code', 'email_taken'],
  handler: async ({ body, deps, request, refuse }) => {
    const { Code: typed } = body;
    const code = typeof typed === 'string' && typed.length <= CODE_LENGTH_MAX ? typed : '';
    const outcome = await takeBackOwnEmail(deps, code, request);
    switch (outcome.kind) {
      case 'taken_back':
        return {};
      case 'invalid_code':
        throw refuse('invalid_code');
      case 'email_taken':
        throw refuse('email_taken');
    }
  },
});
