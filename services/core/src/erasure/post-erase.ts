import { beginErasure, confirmErasure } from '@gatehouse/accounts';
import { reply, tooManyFailures, type Refuse } from '@gatehouse/http';
import { Code, Timestamp, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, readOwnerProof, proofError } from '../owner-proof.ts';

export const postErase = route({
  method: 'post',
  path: '/account/erase',
  operationId: 'eraseAccount',
  tag: 'Account',
  summary: 'Erase your account',
  description:
    'First send a proof of identity as for `POST /account/passkey/options`, then the `Code` that is ' +
    'mailed. The account is disabled at once and erased after `ERASE_AFTER_DAYS`; until then the link in ' +
    'an email cancels it. Returns 409 for owners of content, the last administrator and service accounts.',
  access: 'session',
  body: Type.Object({ ...OwnerProofBody.properties, Code: Type.Optional(Code()) }),
  response: Type.Object({
    ErasedAt: Type.Optional(Timestamp()),
  }),
  status: { 200: 'Success', 202: 'The account is closed and will be erased at `ErasedAt`' },
  errors: [...OWNER_PROOF_ERRORS, 'invalid_code', 'conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    if (body.Code === undefined) {
      const begun = await beginErasure(deps, readOwnerProof(body, caller, request), request);
      switch (begun.kind) {
        case 'mailed':
          return {};
        case 'owns_content':
        case 'service':
          throw refuse('conflict', CONFLICTS[begun.kind]);
        case 'throttled':
        case 'unproven':
        case 'wrong':
          throw proofError(refuse, begun);
      }
    }
    const typed = typedCode(body.Code);
    const own = { accountId: caller.accountId, typed, addressGroup: request.addressGroup };
    const ordered = await confirmErasure(deps, own, request);
    switch (ordered.kind) {
      case 'scheduled':
        return reply({ status: 202, body: { ErasedAt: ordered.erasesAt.toISOString() } });
      case 'throttled':
        throw tooManyFailures(refuse, ordered);
      default:
        throw refusalOf(refuse, ordered.kind);
    }
  },
});

const CONFLICTS = {
  owns_content: 'The account owns content; an administrator has to give it to somebody else first',
  last_administrator: 'At least one other enabled administrator account without an expiry date must remain',
  service: 'Service accounts are erased by an administrator',
};

/** A code of an erased account, or one whose erasure is already requested, counts as a wrong one. */
function refusalOf(
  refuse: Refuse<'invalid_code' | 'conflict'>,
  kind: 'unknown' | 'used' | 'pending' | 'last_administrator' | 'owns_content' | 'unfit_heir',
) {
  return kind === 'owns_content' || kind === 'last_administrator'
    ? refuse('conflict', CONFLICTS[kind])
    : refuse('invalid_code');
}
