import { actorOf, deletePasskey, write } from '@gatehouse/accounts';
import { accountAdmin, accounts } from '@gatehouse/db';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { Type, Uuid } from '@gatehouse/schema';
import { unknownAccount } from '../account-answer.ts';
import { routeOf } from '../deps.ts';
import { OWN_SECOND_FACTOR, refuseOwnAccount } from '../bulk-order.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const Passkey = record(
  'passkey',
  {
    id: Uuid(),
    name: Type.String(),
    isBackedUp: Type.Boolean({ description: 'Whether it is synchronized to other devices of its owner' }),
    createdAt: time(),
    lastUsedAt: timeOrNull({ description: 'null if it was never used' }),
  },
  { name: 'AccountPasskey' },
);

export const passkeyRoutes = [
  route('GET /admin/account/:id/passkey', {
    operationId: 'listAccountPasskeys',
    summary: 'List the passkeys of an account',
    description: 'Oldest first.',
    response: Type.Object({ Items: Type.Array(Passkey.Answer) }),
    errors: ['not_found'],
    handler: async ({ params: { id }, deps, refuse }) => {
      if ((await accountAdmin.find(deps.db, id)) === undefined) throw unknownAccount(refuse);
      const rows = await Passkey.rows(deps.db, 'where account_id = ? order by created_at, id', [id]);
      return { Items: rows.map(Passkey.answer) };
    },
  }),

  route('DELETE /admin/account/:id/passkey/:passkeyId', {
    operationId: 'removeAccountPasskey',
    summary: 'Remove a lost passkey',
    description: 'Also ends the sessions of the account. The owner is notified by email.',
    recent: true,
    errors: ['not_found', 'own_account'],
    handler: async ({ params: { id, passkeyId }, caller, deps, request, refuse }) => {
      request.addToLog({ targetId: id });
      refuseOwnAccount(refuse, caller, id, OWN_SECOND_FACTOR);
      const author = { actor: actorOf(caller), origin: request, target: { kind: 'Account', id } } as const;
      return write(deps, author, async (tx) => {
        const account = await accounts.lockById(tx, id);
        // The owner's mail does not contain the administrator's address.
        const { traceId } = request;
        if (account === undefined || !(await deletePasskey(deps, tx, account, passkeyId, { traceId })))
          throw refuse('not_found', 'Passkey not found');
        tx.audit('account.passkey-removed', { PasskeyId: passkeyId });
        // One of the sessions may be the thief's.
        await tx.endSessions({ kind: 'account', accountId: id }, 'passkey_removed');
        return undefined;
      });
    },
  }),
];
