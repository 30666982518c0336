import { accountAdmin } from '@gatehouse/db';
import { route } from '../deps.ts';
import { accountAnswer, AccountAnswer, AccountPath, unknownAccount } from '../account-answer.ts';

export const getAccount = route({
  method: 'get',
  path: '/admin/account/:id',
  operationId: 'getAccount',
  tag: 'Accounts',
  summary: 'Get an account',
  access: ['Admin'],
  params: AccountPath,
  response: AccountAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const account = await accountAdmin.find(deps.db, params.id);
    if (account === undefined) throw unknownAccount(refuse);
    return accountAnswer(account);
  },
});
