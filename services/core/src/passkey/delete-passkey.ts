import { removePasskey } from '@gatehouse/accounts';
import { Type, typedCode, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import {
  mailboxError,
  MAILBOX_FIELDS,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  readOwnerProof,
  proofError,
} from '../owner-proof.ts';

export const deletePasskey = route({
  method: 'delete',
  path: '/account/passkey/:id',
  operationId: 'removePasskey',
  tag: 'Passkeys',
  summary: 'Delete one of your passkeys',
  description:
    'Requires a proof of identity, like `POST /account/passkey/options`, and a `MailCode` for the last passkey of an ' +
    'account that can log in with mailed codes. The owner is notified by email. ' +
    'Returns 409 if it is the only way to log in, or the only second factor of an account that must have one.',
  access: 'session',
  params: Type.Object({ id: Uuid() }),
  body: Type.Object({ ...OwnerProofBody.properties, ...MAILBOX_FIELDS }),
  errors: [...OWNER_PROOF_ERRORS, 'mail_code_required', 'invalid_code', 'not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const providers = deps.pages.providers.map(({ Id }) => Id);
    const mailCode = body.MailCode === undefined ? undefined : typedCode(body.MailCode);
    const shows = { ...readOwnerProof(body, caller, request), mailCode, id: params.id, providers };
    const outcome = await removePasskey(deps, shows, request);
    switch (outcome.kind) {
      case 'removed':
        return undefined;
      case 'unknown':
        throw refuse('not_found', 'Passkey not found');
      case 'needed':
        throw refuse('conflict', NEEDED[outcome.as]);
      case 'mailbox':
        throw mailboxError(refuse, outcome);
      case 'throttled':
      case 'unproven':
      case 'wrong':
        throw proofError(refuse, outcome);
    }
  },
});

const NEEDED = {
  only_way: 'This passkey is the only way to log in; set a password first',
  second_factor: 'The account must have a second factor, and this passkey is the only one',
} as const;
