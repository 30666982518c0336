import { actorOf, mailNotice, reportLostGroups, write } from '@gatehouse/accounts';
import { accountAdmin, accounts, clientSessions, ssoIdentities } from '@gatehouse/db';
import { record, time } from '@gatehouse/kit';
import { Nullable, Type } from '@gatehouse/schema';
import { unknownAccount } from '../../account-answer.ts';
import { routeOf } from '../../deps.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const Identity = record(
  'sso_identity',
  {
    number: Type.Integer({ description: 'Identifies the identity when unlinking; never reused' }),
    provider: Nullable(Type.String(), {
      description: 'Name of the provider; null if no provider with this issuer is configured',
    }),
    issuer: Type.String(),
    subject: Type.String({ description: 'Identifies the user at the issuer' }),
    linkedAt: time(),
  },
  { name: 'SsoIdentity' },
);

export const identityRoutes = [
  route('GET /admin/account/:id/identity', {
    operationId: 'listAccountIdentities',
    summary: 'List the single sign-on identities of an account',
    description: 'Oldest first; at most one for each issuer.',
    response: Type.Object({ Items: Type.Array(Identity.Answer) }),
    errors: ['not_found'],
    handler: async ({ params: { id }, deps, refuse }) => {
      if ((await accountAdmin.find(deps.db, id)) === undefined) throw unknownAccount(refuse);
      const nameOf = (issuer: string) =>
        deps.sso.providers.find(({ settings }) => settings.issuer === issuer)?.settings.id ?? null;
      const identities = await ssoIdentities.findOfAccount(deps.db, id);
      return { Items: identities.map((one) => Identity.answer({ ...one, provider: nameOf(one.issuer) })) };
    },
  }),

  route('DELETE /admin/account/:id/identity/:number', {
    operationId: 'unlinkAccountIdentity',
    summary: 'Unlink a single sign-on identity',
    description:
      'Ends the sessions that were opened with it before the response is sent. A later sign-on links it again if ' +
      'the provider is trusted with the email address (`trustEmail`) and the addresses still match.',
    recent: 'session',
    // Text, so that no other spelling of a number deletes anything.
    params: { number: Type.String({ pattern: /^[1-9][0-9]{0,14}$/.source, maxLength: 15 }) },
    errors: ['not_found'],
    handler: async ({ params: { id, number }, caller, deps, request, refuse }) => {
      request.addToLog({ targetId: id });
      const author = { actor: actorOf(caller), origin: request, target: { kind: 'Account', id } } as const;
      return write(deps, author, async (tx) => {
        const account = await accounts.lockById(tx, id);
        const removed = await ssoIdentities.remove(tx, id, Number(number));
        if (account === undefined || removed === undefined) throw refuse('not_found', 'Identity not found');
        const providers = deps.sso.providers.map(({ settings }) => settings);
        const own = providers.find(({ issuer }) => issuer === removed.issuer);
        const details = own && { Provider: own.id };
        // The owner's mail does not contain the administrator's address.
        const { traceId } = request;
        await mailNotice(deps, tx, account, 'account.identity-unlinked', { ...details }, { traceId });
        tx.audit('sso.unlinked', details);
        reportLostGroups(tx, id, removed, author);
        // Some applications may have let in who has a group that only this provider named.
        await clientSessions.removeNotLetIn(tx, { accountIds: [id] });
        // Those of its issuer's providers, and those of providers that are no longer configured, because their issuer is
        // unknown. A sign-on that has already found the account opens no session, because it checks again after locking
        // the account.
        const others = providers.filter(({ issuer }) => issuer !== removed.issuer);
        const exceptProviders = others.map((provider) => provider.id);
        const target = { kind: 'signed-on', accountId: id, exceptProviders } as const;
        await tx.endSessions(target, 'identity_unlinked');
        return undefined;
      });
    },
  }),
];
