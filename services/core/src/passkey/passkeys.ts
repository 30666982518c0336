import {
  allowsEmailLogin,
  asOwner,
  deletePasskey,
  proveOwner,
  requestAnyPasskey,
  requestOwnPasskey,
  write,
} from '@gatehouse/accounts';
import { accounts, passkeys, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import { confirmationRequired, PasskeyChallenge, passkeyChallenge, type Refuse } from '@gatehouse/http';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { Text, Type, Uuid } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import {
  canSignOn,
  MAILBOX_FIELDS,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  proved,
  proveMailbox,
  readOwnerProof,
} from '../owner-proof.ts';

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

export const requestPasskey = route('POST /account/login/passkey', {
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

export const confirmWithPasskey = route('POST /account/passkey/confirmation', {
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
  route('GET /account/passkey', {
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

  route('PUT /account/passkey/:id', {
    operationId: 'renamePasskey',
    tag: 'Passkeys',
    summary: 'Rename one of your passkeys',
    access: 'session',
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

  route('DELETE /account/passkey/:id', {
    operationId: 'removePasskey',
    tag: 'Passkeys',
    summary: 'Delete one of your passkeys',
    description:
      'Requires a proof of identity, like `POST /account/passkey/options`, and a `MailCode` for the last passkey of an ' +
      'account that can log in with mailed codes. The owner is notified by email. ' +
      'Returns 409 if it is the only way to log in, or the only second factor of an account that must have one.',
    access: 'session',
    body: Type.Object({ ...OwnerProofBody.properties, ...MAILBOX_FIELDS }),
    errors: [...OWNER_PROOF_ERRORS, 'mail_code_required', 'invalid_code', 'not_found', 'conflict'],
    handler: async ({ params: { id }, body, caller, deps, request, refuse }) => {
      const { accountId, sessionId } = caller;
      const shown = readOwnerProof(body, caller, request);
      const unknown = () => refuse('not_found', 'Passkey not found');
      if (!(await passkeys.isOfAccount(deps.db, accountId, id))) throw unknown();
      const proof = proved(refuse, await proveOwner(deps, shown, request));
      const isLast = (await passkeys.count(deps.db, accountId)) === 1;
      const useCode = isLast
        ? await proveMailbox(deps, proof.account, body.MailCode, request, refuse)
        : undefined;
      await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account?.passwordVersion !== proof.account.passwordVersion) throw confirmationRequired(refuse);
        await refuseIfNeeded(deps, tx, account, { isMailboxProved: isLast, refuse });
        if (!(await proof.use(tx))) throw confirmationRequired(refuse);
        if ((await useCode?.(tx)) === false) throw refuse('invalid_code');
        if (!(await deletePasskey(deps, tx, account, id, request))) throw unknown();
        tx.audit('passkey.removed', { PasskeyId: id });
        // Those that it opened: one of them may be a thief's.
        const target = { kind: 'passkey', accountId, passkeyId: id, exceptSessionId: sessionId } as const;
        await tx.endSessions(target, 'passkey_removed');
      });
      return undefined;
    },
  }),
];

/**
 * Refuses if this is the last passkey and the owner could not log in without it, or would lack the second factor that is
 * required; or if the account could then be opened with mailed codes, and no code from a mail was given.
 */
async function refuseIfNeeded(
  deps: Deps,
  tx: Transaction,
  account: Account,
  {
    isMailboxProved,
    refuse,
  }: { isMailboxProved: boolean; refuse: Refuse<'conflict' | 'mail_code_required'> },
): Promise<void> {
  if ((await passkeys.count(tx, account.id)) > 1) return;
  const isOpenedByMail = allowsEmailLogin(deps.settings, account);
  const providers = deps.pages.providers.map(({ Id }) => Id);
  if (account.passwordScheme === null && !isOpenedByMail && !(await canSignOn(tx, account, providers)))
    throw refuse('conflict', 'This passkey is the only way to log in; set a password first');
  if (account.isTwoFactorRequired && (await twoFactor.find(tx, account.id))?.isEnabled !== true)
    throw refuse('conflict', 'The account must have a second factor, and this passkey is the only one');
  // Another request may have removed the others meanwhile: then no code was asked for yet.
  if (isOpenedByMail && !isMailboxProved) throw refuse('mail_code_required');
}
