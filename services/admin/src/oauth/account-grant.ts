import { actorOf, write } from '@gatehouse/accounts';
import { accountAdmin } from '@gatehouse/db';
import { endOwnGrants, listOwnGrants, OwnGrants } from '@gatehouse/kit';
import { unknownAccount } from '../account-answer.ts';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Applications', access: ['Admin'] });

const recent = { never: 'it only ends access; the next sign-in opens it again' } as const;

/** What stays signed in to an account by itself: agents and devices. */
export const accountGrantRoutes = [
  route('GET /admin/account/:id/grant', {
    operationId: 'listAccountGrants',
    summary: 'List the applications and devices that stay signed in to an account by themselves',
    description: 'Each outlives the session that it was signed in from. Last used first.',
    response: OwnGrants,
    errors: ['not_found'],
    handler: async ({ params: { id }, deps, refuse }) => {
      if ((await accountAdmin.find(deps.db, id)) === undefined) throw unknownAccount(refuse);
      return listOwnGrants(deps, id);
    },
  }),

  route('DELETE /admin/account/:id/grant/:grantId', {
    operationId: 'endAccountGrant',
    summary: 'Sign out an application or a device that stays signed in by itself',
    description: 'Its tokens stop working within a second. The account’s sessions continue.',
    recent,
    errors: ['not_found'],
    handler: async ({ params: { id: accountId, grantId: id }, caller, deps, request, refuse }) => {
      await write(deps, { actor: actorOf(caller), origin: request }, async (tx) => {
        if ((await endOwnGrants(tx, { accountId, id })) === 0)
          throw refuse('not_found', 'Nothing is signed in with this ID');
      });
      return undefined;
    },
  }),

  route('DELETE /admin/account/:id/grant', {
    operationId: 'endAccountGrants',
    summary: 'Sign out all applications and devices that stay signed in to an account by themselves',
    description: 'Their tokens stop working within a second. The account’s sessions continue.',
    recent,
    errors: ['not_found'],
    handler: async ({ params: { id: accountId }, caller, deps, request, refuse }) => {
      if ((await accountAdmin.find(deps.db, accountId)) === undefined) throw unknownAccount(refuse);
      await write(deps, { actor: actorOf(caller), origin: request }, (tx) => endOwnGrants(tx, { accountId }));
      return undefined;
    },
  }),
];
