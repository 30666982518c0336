import { withdrawConsent } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const removeOwnApp = route({
  method: 'delete',
  path: '/account/app/:id',
  operationId: 'removeOwnApp',
  tag: 'Applications',
  summary: 'Remove an app from your account',
  description:
    'Takes back what you have allowed it, and signs you out of it in all your sessions. Its tokens stop working before ' +
    'the response is sent.',
  access: 'session',
  params: Type.Object({ id: Uuid() }),
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const consent = { accountId: caller.accountId, clientId: params.id };
    if (!(await withdrawConsent(deps, consent, request))) throw refuse('not_found', 'App not found');
    return undefined;
  },
});
