import { randomBytes } from 'node:crypto';
import {
  allowsEmailLogin,
  asOwner,
  deletePasskey,
  issueChallenge,
  mailNotice,
  newRecoveryCodes,
  proveOwner,
  requestAnyPasskey,
  requestOwnPasskey,
  withDevice,
  write,
} from '@gatehouse/accounts';
import {
  hashInvitationToken,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyToken,
} from '@gatehouse/auth-core';
import { accounts, passkeys, recoveryCodes, twoFactor, webauthnChallenges } from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import {
  confirmationRequired,
  invalidField,
  PasskeyChallenge,
  passkeyChallenge,
  type Refuse,
} from '@gatehouse/http';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { Text, Type, Uuid } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { routeOf, type Deps } from '../deps.ts';
import {
  canSignOn,
  MAILBOX_FIELDS,
  orThrow,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  proved,
  proveMailbox,
  readOwnerProof,
} from '../owner-proof.ts';
import names from './authenticator-names.json' with { type: 'json' };

const route = routeOf({ tag: 'Passkeys', access: 'session' });

const Passkey = record(
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

const PasskeyName = Text(64, { description: 'The name that its owner gave it' });

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
  handler: async ({ deps, request, refuse }) =>
    passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request)),
});

export const confirmWithPasskey = route('POST /account/passkey/confirmation', {
  operationId: 'beginPasskeyConfirmation',
  summary: 'Start a proof of identity with a passkey',
  description:
    'Returns the options for signing with one of your passkeys. Send the result and the token in requests that ' +
    'require a proof.',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller, deps, request, refuse }) => {
    const own = { accountId: caller.accountId, addressGroup: request.addressGroup };
    return passkeyChallenge(refuse, await requestOwnPasskey(deps, own, request));
  },
});

/** More than the devices and password managers of any owner. */
const PASSKEYS_MAX = 20;
const FULL = 'The account has the maximum number of passkeys';

export const addPasskeyRoutes = [
  route('POST /account/passkey/options', {
    operationId: 'beginPasskey',
    summary: 'Begin to add a passkey',
    description:
      'Requires a proof of identity in addition to the session: the password, a two-factor code (instead of the ' +
      'password if two-factor authentication is enabled), or a passkey (`POST /account/passkey/confirmation`). ' +
      'None is needed within five minutes of the login. Returns the options with which the browser creates the ' +
      'passkey, and a token for `POST /account/passkey`.',
    body: OwnerProofBody,
    response: Type.Object({ PasskeyToken: Type.String(), Options: PasskeyCreationOptions }),
    errors: [...OWNER_PROOF_ERRORS, 'conflict'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const shown = readOwnerProof(body, caller, request);
      const checks = openedPasskeys(deps, refuse);
      const proof = proved(refuse, await proveOwner(deps, shown, request));
      const { id, passwordVersion } = proof.account;
      const begun = await write(deps, asOwner(id, request), async (tx) => {
        const account = await accounts.lockById(tx, id);
        if (account?.passwordVersion !== passwordVersion) throw confirmationRequired(refuse);
        const known = await passkeys.findKnown(tx, id);
        if (known.length >= PASSKEYS_MAX) throw refuse('conflict', FULL);
        // A challenge stays used up, although the rest of the proof is refused.
        if (!(await proof.use(tx))) return confirmationRequired(refuse);
        const { token, challenge } = await issueChallenge(tx, 'register', account);
        const handle = await passkeys.setUserHandle(tx, randomBytes(32), id);
        const user = { handle, name: account.email, displayName: account.displayName ?? account.email };
        return { PasskeyToken: token, Options: checks.creationOptions(challenge, user, known) };
      });
      return orThrow(begun);
    },
  }),

  route('POST /account/passkey', {
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Without `Name`, it is named after the kind of its authenticator if known, or else after browser and system. The ' +
      'owner is notified by email.',
    body: Type.Object({
      PasskeyToken,
      Name: Type.Optional(PasskeyName),
      Credential: PasskeyRegistration,
    }),
    response: Type.Object(
      {
        ...Passkey.properties,
        RecoveryCodes: Type.Optional(
          Type.Array(Type.String(), {
            description:
              'Present if the account must have a second factor and this passkey is the first one. Each code can be ' +
              'used once. Shown only in this response.',
          }),
        ),
      },
      { title: 'NewPasskey' },
    ),
    status: 201,
    errors: ['conflict'],
    handler: async ({ body, caller: { accountId }, deps, request, refuse }) => {
      const checks = openedPasskeys(deps, refuse);
      const tokenHash = hashInvitationToken(body.PasskeyToken);
      const issued = await webauthnChallenges.find(deps.db, tokenHash, 'register');
      if (issued?.accountId !== accountId) throw unknownToken();
      const fresh = await checks.verifyRegistration(body.Credential, issued.challenge);
      if (fresh === undefined)
        throw invalidField('/Credential', 'was not created for these options', 'malformed');
      const name = body.Name ?? NAMES[fresh.aaguid ?? ''] ?? withDevice(request).deviceName ?? 'Passkey';
      const added = await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account === undefined || !(await webauthnChallenges.use(tx, tokenHash, 'register')))
          throw unknownToken();
        // From here on, the challenge stays used up.
        if ((await passkeys.count(tx, accountId)) >= PASSKEYS_MAX) return refuse('conflict', FULL);
        const passkey = await passkeys.insert(tx, { ...fresh, id: newId(), accountId, name });
        if (passkey === undefined) return refuse('conflict', 'This passkey is already in use');
        const PasskeyId = passkey.id;
        await mailNotice(deps, tx, account, 'account.passkey-added', { PasskeyId }, request);
        tx.audit('passkey.added', { PasskeyId });
        return { ...Passkey.answer(passkey), ...(await codesIfNeeded(deps, tx, account)) };
      });
      return orThrow(added);
    },
  }),
];

export const passkeyRoutes = [
  route('GET /account/passkey', {
    operationId: 'listOwnPasskeys',
    summary: 'List your passkeys',
    description: 'Oldest first.',
    response: Type.Object({ Items: Type.Array(Passkey.Answer) }),
    handler: async ({ caller, deps }) => {
      const own = await passkeys.findOfAccount(deps.db, caller.accountId);
      return { Items: own.map(Passkey.answer) };
    },
  }),

  route('PUT /account/passkey/:id', {
    operationId: 'renamePasskey',
    summary: 'Rename one of your passkeys',
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
    summary: 'Delete one of your passkeys',
    description:
      'Requires a proof of identity, like `POST /account/passkey/options`, and a `MailCode` for the last passkey of an ' +
      'account that can log in with mailed codes. The owner is notified by email. ' +
      'Returns 409 if it is the only way to log in, or the only second factor of an account that must have one.',
    body: Type.Object({ ...OwnerProofBody.properties, ...MAILBOX_FIELDS }),
    errors: [...OWNER_PROOF_ERRORS, 'mail_code_required', 'invalid_code', 'not_found', 'conflict'],
    handler: async ({ params: { id }, body, caller, ...call }) => {
      const { deps, request, refuse } = call;
      const { accountId, sessionId } = caller;
      const shown = readOwnerProof(body, caller, request);
      const unknown = () => refuse('not_found', 'Passkey not found');
      if (!(await passkeys.isOfAccount(deps.db, accountId, id))) throw unknown();
      const proof = proved(refuse, await proveOwner(deps, shown, request));
      const isLast = (await passkeys.count(deps.db, accountId)) === 1;
      const useCode = isLast ? await proveMailbox(call, proof.account, body.MailCode) : undefined;
      await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account?.passwordVersion !== proof.account.passwordVersion) throw confirmationRequired(refuse);
        await refuseIfNeeded(deps, tx, account, isLast, refuse);
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
  isMailboxProved: boolean,
  refuse: Refuse<'conflict' | 'mail_code_required'>,
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

function openedPasskeys({ passkeys: opened }: Deps, refuse: Refuse<'conflict'>) {
  if (opened === undefined) throw refuse('conflict', 'Passkeys are off');
  return opened;
}

function unknownToken() {
  return invalidField('/PasskeyToken', 'is unknown, used or expired', 'unknown_object');
}

/** An account that must have a second factor, and has no authenticator, needs recovery codes besides its passkeys. */
async function codesIfNeeded(
  deps: Deps,
  tx: Transaction,
  { id, isTwoFactorEnabled, isTwoFactorRequired }: Account,
): Promise<{ RecoveryCodes?: string[] }> {
  if (isTwoFactorEnabled || !isTwoFactorRequired || (await recoveryCodes.countLeft(tx, id)) > 0) return {};
  return { RecoveryCodes: await newRecoveryCodes(deps, tx, id) };
}

/** Kinds of authenticators by AAGUID, as their makers publish them; no server is asked (docs/passkeys.md). */
const NAMES: Readonly<Record<string, string>> = names;
