import { beginPasskey } from '@gatehouse/accounts';
import { PasskeyCreationOptions } from '@gatehouse/auth-core';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, readOwnerProof, proofError } from '../owner-proof.ts';

export const postPasskeyOptions = route({
  method: 'post',
  path: '/account/passkey/options',
  operationId: 'beginPasskey',
  tag: 'Passkeys',
  summary: 'Begin to add a passkey',
  description:
    'Requires a proof of identity in addition to the session: the password, a two-factor code (instead of the ' +
    'password if two-factor authentication is enabled), or a passkey (`POST /account/passkey/confirmation`). ' +
    'None is needed within five minutes of the login. Returns the options with which the browser creates the ' +
    'passkey, and a token for `POST /account/passkey`.',
  access: 'session',
  body: OwnerProofBody,
  response: Type.Object({ PasskeyToken: Type.String(), Options: PasskeyCreationOptions }),
  errors: [...OWNER_PROOF_ERRORS, 'conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const outcome = await beginPasskey(deps, readOwnerProof(body, caller, request), request);
    switch (outcome.kind) {
      case 'begun':
        return { PasskeyToken: outcome.token, Options: outcome.options };
      case 'off':
        throw refuse('conflict', 'Passkeys are off');
      case 'full':
        throw refuse('conflict', 'The account has the maximum number of passkeys');
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
