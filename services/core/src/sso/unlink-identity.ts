import { unlinkOwnIdentity } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, readOwnerProof, proofError } from '../owner-proof.ts';

export const unlinkOwn = route({
  method: 'delete',
  path: '/account/identity',
  operationId: 'unlinkOwnIdentity',
  tag: 'Single sign-on',
  summary: 'Unlink one of your single sign-on identities',
  description:
    'Requires a proof of identity, like `POST /account/passkey/options`. Ends the other sessions that were ' +
    'opened with it before the response is sent. Returns 409 if it is the only way to log in.',
  access: 'session',
  body: Type.Object({
    Number: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`Number` of the identity',
    }),
    ...OwnerProofBody.properties,
  }),
  errors: [...OWNER_PROOF_ERRORS, 'not_found', 'conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const shows = {
      ...readOwnerProof(body, caller, request),
      number: body.Number,
      providers: deps.pages.providers.map(({ Id }) => Id),
    };
    const outcome = await unlinkOwnIdentity(deps, shows, request);
    switch (outcome.kind) {
      case 'unlinked':
        return undefined;
      case 'unknown':
        throw refuse('not_found', 'Identity not found');
      case 'only_way':
        throw refuse('conflict', 'This identity is the only way to log in; set a password first');
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});
