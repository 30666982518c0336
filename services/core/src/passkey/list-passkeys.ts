import { passkeys } from '@gatehouse/db';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { PasskeyAnswer, passkeyAnswer } from './passkey-answer.ts';

export const listPasskeys = route({
  method: 'get',
  path: '/account/passkey',
  operationId: 'listOwnPasskeys',
  tag: 'Passkeys',
  summary: 'List your passkeys',
  description: 'Oldest first.',
  access: 'session',
  response: Type.Object({ Items: Type.Array(PasskeyAnswer) }),
  handler: async ({ caller, deps }) => {
    const own = await passkeys.findOfAccount(deps.db, caller.accountId);
    return { Items: own.map(passkeyAnswer) };
  },
});
