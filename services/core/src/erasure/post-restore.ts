import { restoreAccount } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const CODE_LENGTH_MAX = 100;

export const postRestore = route({
  method: 'post',
  path: '/account/restore',
  operationId: 'restoreAccount',
  tag: 'Account',
  summary: 'Cancel the erasure of your account',
  description:
    'Send the code from the link in the email that announced the erasure. It works once, until the account is ' +
    'erased. Sessions that ended stay ended: log in afterwards as usual.',
  access: 'public',
  body: Type.Object({
    // As with invitations, any invalid value gets the same response as a wrong code.
    Code: Type.Optional(Type.Unknown({ description: 'The `Code` parameter of the link, as a string' })),
  }),
  response: Type.Object({}),
  errors: ['invalid_code'],
  handler: async ({ body, deps, request, refuse }) => {
    const { Code: typed } = body;
    const code = typeof typed === 'string' && typed.length <= CODE_LENGTH_MAX ? typed : '';
    if (!(await restoreAccount(deps, code, request))) throw refuse('invalid_code');
    return {};
  },
});
