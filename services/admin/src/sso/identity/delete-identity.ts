import { actorOf, unlinkIdentity } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath } from '../../account-answer.ts';

export const deleteIdentity = route({
  method: 'delete',
  path: '/admin/account/:id/identity/:number',
  operationId: 'unlinkAccountIdentity',
  tag: 'Accounts',
  summary: 'Unlink a single sign-on identity',
  description:
    'Ends the sessions that were opened with it before the response is sent. A later sign-on links it again if ' +
    'the provider is trusted with the email address (`trustEmail`) and the addresses still match.',
  access: ['Admin'],
  recent: 'session',
  params: Type.Object({
    ...AccountPath.properties,
    // Text, so that no other spelling of a number deletes anything.
    number: Type.String({ pattern: /^[1-9][0-9]{0,14}$/.source, maxLength: 15 }),
  }),
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ targetId: params.id });
    const { id: accountId, number } = params;
    const which = {
      accountId,
      number: Number(number),
      providers: deps.sso.providers.map(({ settings }) => settings),
    };
    const outcome = await unlinkIdentity(deps, which, { actor: actorOf(caller), origin: request });
    if (outcome.kind === 'unknown') throw refuse('not_found', 'Identity not found');
    return undefined;
  },
});
