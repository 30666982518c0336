import { asOwner, removePasskey, requestAnyPasskey, requestOwnPasskey, write } from '@gatehouse/accounts';
import { passkeys } from '@gatehouse/db';
import { PasskeyChallenge, passkeyChallenge } from '@gatehouse/http';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { Text, Type, typedCode, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import {
  mailboxError,
  MAILBOX_FIELDS,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  readOwnerProof,
  proofError,
} from '../owner-proof.ts';

/** A passkey as its owner sees it. */
export const Passkey = record(
  'passkey',
  {
    id: Uuid(),
    name: Type.String(),
    isBackedUp: Type.Boolean({ description: 'Whether it is synchronized to other devices of its owner' }),
    createdAt: time(),
    lastUsedAt: timeOrNull({ description: 'null if it was never used' }),
  },
  { name: 'Passkey' },
);

export const PasskeyName = Text(64, { description: 'The name that its owner gave it' });

export const requestPasskey = route({
  method: 'post',
  path: '/account/login/passkey',
  operationId: 'beginPasskeyLogin',
  tag: 'Sessions',
  summary: 'Begin a login with a passkey',
  description:
    'Returns the options with which the browser asks a passkey to sign, and a token for `POST /account/login`. ' +
    'The response is the same for everybody. Limited to 20 a minute for each IP address.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) => {
    return passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request));
  },
});

export const confirmWithPasskey = route({
  method: 'post',
  path: '/account/passkey/confirmation',
  operationId: 'beginPasskeyConfirmation',
  tag: 'Passkeys',
  summary: 'Start a proof of identity with a passkey',
  description:
    'Returns the options for signing with one of your passkeys. Send the result and the token in requests that ' +
    'require a proof.',
  access: 'session',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller, deps, request, refuse }) => {
    const own = { accountId: caller.accountId, addressGroup: request.addressGroup };
    return passkeyChallenge(refuse, await requestOwnPasskey(deps, own, request));
  },
});

export const passkeyRoutes = [
  route({
    method: 'get',
    path: '/account/passkey',
    operationId: 'listOwnPasskeys',
    tag: 'Passkeys',
    summary: 'List your passkeys',
    description: 'Oldest first.',
    access: 'session',
    response: Type.Object({ Items: Type.Array(Passkey.Answer) }),
    handler: async ({ caller, deps }) => {
      const own = await passkeys.findOfAccount(deps.db, caller.accountId);
      return { Items: own.map(Passkey.answer) };
    },
  }),

  route({
    method: 'put',
    path: '/account/passkey/:id',
    operationId: 'renamePasskey',
    tag: 'Passkeys',
    summary: 'Rename one of your passkeys',
    access: 'session',
    params: Type.Object({ id: Uuid() }),
    body: Type.Object({ Name: PasskeyName }),
    response: Passkey.Answer,
    errors: ['not_found'],
    handler: async ({ params, body, caller: { accountId }, deps, request, refuse }) =>
      write(deps, asOwner(accountId, request), async (tx) => {
        const passkey = await passkeys.rename(tx, { accountId, id: params.id, name: body.Name });
        if (passkey === undefined) throw refuse('not_found', 'Passkey not found');
        tx.audit('passkey.renamed', { PasskeyId: passkey.id });
        return Passkey.answer(passkey);
      }),
  }),

  route({
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
  }),
];

const NEEDED = {
  only_way: 'This passkey is the only way to log in; set a password first',
  second_factor: 'The account must have a second factor, and this passkey is the only one',
} as const;
