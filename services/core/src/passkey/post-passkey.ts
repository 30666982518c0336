import { addPasskey } from '@gatehouse/accounts';
import { PasskeyRegistration, PasskeyToken } from '@gatehouse/auth-core';
import { invalidRequest } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { NewPasskeyAnswer, passkeyAnswer, PasskeyName } from './passkey-answer.ts';

export const postPasskey = route({
  method: 'post',
  path: '/account/passkey',
  operationId: 'addPasskey',
  tag: 'Passkeys',
  summary: 'Add a passkey',
  description:
    'Without `Name`, the name is the kind of its authenticator, if known. The owner is notified by email.',
  access: 'session',
  body: Type.Object({
    PasskeyToken,
    Name: Type.Optional(PasskeyName),
    Credential: PasskeyRegistration,
  }),
  response: NewPasskeyAnswer,
  status: 201,
  errors: ['conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { PasskeyToken: token, Credential: credential, Name: name } = body;
    const made = { accountId: caller.accountId, token, credential, name };
    const outcome = await addPasskey(deps, made, request);
    switch (outcome.kind) {
      case 'added': {
        const { passkey, recoveryCodes } = outcome;
        return { ...passkeyAnswer(passkey), ...(recoveryCodes && { RecoveryCodes: recoveryCodes }) };
      }
      case 'failed':
        throw notMade(outcome.part);
      case 'off':
        throw refuse('conflict', 'Passkeys are off');
      case 'full':
        throw refuse('conflict', 'The account has the maximum number of passkeys');
      case 'known':
        throw refuse('conflict', 'This passkey is already in use');
    }
  },
});

function notMade(part: 'token' | 'credential') {
  const [pointer, message, code] =
    part === 'token'
      ? (['/PasskeyToken', 'is unknown, used or expired', 'unknown_object'] as const)
      : (['/Credential', 'was not created for these options', 'malformed'] as const);
  return invalidRequest(undefined, { errors: [{ pointer, message, code }] });
}
