import { accounts } from '@gatehouse/db';
import { Email, emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const emailAvailability = route({
  method: 'get',
  path: '/account/email-availability',
  operationId: 'checkEmailAvailability',
  tag: 'Account',
  summary: 'Ask whether an email address has no account yet',
  description:
    'An account that still waits for its owner counts, too. The answer has the address as it would be kept.',
  access: ['User', 'Admin', 'Service'],
  query: Type.Object({ email: Email() }),
  response: Type.Object({ Email: Email(), IsAvailable: Type.Boolean() }),
  handler: async ({ query, deps }) => {
    const email = normalizeEmail(query.email) ?? query.email;
    const account = await accounts.findByEmailKey(deps.db, emailKey(email));
    return { Email: email, IsAvailable: account === undefined };
  },
});
