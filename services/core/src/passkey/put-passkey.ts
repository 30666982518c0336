import { renamePasskey } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { PasskeyAnswer, passkeyAnswer, PasskeyName } from './passkey-answer.ts';

export const putPasskey = route({
  method: 'put',
  path: '/account/passkey/:id',
  operationId: 'renamePasskey',
  tag: 'Passkeys',
  summary: 'Rename one of your passkeys',
  access: 'session',
  params: Type.Object({ id: Uuid() }),
  body: Type.Object({ Name: PasskeyName }),
  response: PasskeyAnswer,
  errors: ['not_found'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const which = { accountId: caller.accountId, id: params.id, name: body.Name };
    const passkey = await renamePasskey(deps, which, request);
    if (passkey === undefined) throw refuse('not_found', 'Passkey not found');
    return passkeyAnswer(passkey);
  },
});
