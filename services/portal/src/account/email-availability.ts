import { accounts } from '@gatehouse/db';
import { Email, emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const emailAvailability = route({
  method: 'get',
  path: '/account/email-availability',
  operationId: 'checkEmailAvailability',
  tag: 'Account',
  summary: 'Check whether an email address is available',
  description:
    'An account that is still waiting for its owner counts as taken. The response contains the address in ' +
    'normalized form.',
  access: ['User', 'Admin', 'Service'],
  query: Type.Object({ email: Email() }),
  response: Type.Object({ Email: Email(), IsAvailable: Type.Boolean() }),
  handler: async ({ query, deps }) => {
    const email = normalizeEmail(query.email) ?? query.email;
    const account = await accounts.findByEmailKey(deps.db, emailKey(email));
    return { Email: email, IsAvailable: account === undefined };
  },
});
