import {
  accountUpdated,
  allowsEmailLogin,
  asOwner,
  cancelByFormerEmail,
  mailCode,
  mailNotice,
  mayNotify,
  proveOwner,
  recipientOf,
  reportLostGroups,
  sourceOf,
  usesSecondFactor,
  voidBegunLogins,
  withholdCode,
  write,
} from '@gatehouse/accounts';
import type { OwnerProofInput, WriteTransaction } from '@gatehouse/accounts';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accountCodes,
  accounts,
  emailChanges,
  mailQuota,
  passkeys,
  recoveryCodes,
  ssoIdentities,
  twoFactor,
} from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import { newEvent, newMailEvent } from '@gatehouse/events';
import { invalidField, type RequestFacts } from '@gatehouse/http';
import { withMinimumDuration } from '@gatehouse/runtime';
import { Code, Email, emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { routeOf, type Call, type Deps } from '../deps.ts';
import {
  MAILBOX_FIELDS,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  proved,
  proveMailbox,
  readOwnerProof,
  requireCode,
} from '../owner-proof.ts';
import type { ProofError, Proved } from '../owner-proof.ts';
import { lockProved, provePassword } from './password.ts';

const route = routeOf({ tag: 'Account' });

/** The usual time of a request, for a free address as well as for a taken one. */
const REQUEST_MS = 100;
const TAKE_BACK_DAYS = 7;
const TAKE_BACK_LENGTH_MAX = 100;
/** Whoever takes an account over may add a way in before changing the email, to return after it was taken back. */
const PREPARED_DAYS = 7;

export const emailRoutes = [
  route('POST /account/change-email', {
    operationId: 'changeEmail',
    summary: 'Request a change of email address',
    description:
      'Sends a code to the new address; nothing changes until it is confirmed. The response and its timing are the ' +
      'same if the address already has an account, whose owner is then notified. Requires the password and the second ' +
      'factor that the account has, and the `MailCode` from an email to the present address if the account can log in ' +
      'with mailed codes.',
    access: 'session',
    body: Type.Object({ Email: Email(), ...OwnerProofBody.properties, ...MAILBOX_FIELDS }),
    response: Type.Object({}),
    errors: [...OWNER_PROOF_ERRORS, 'mail_code_required', 'invalid_code'],
    handler: async ({ body, caller, ...call }) => {
      const email = normalizeEmail(body.Email) ?? body.Email;
      const proof = await proveChange(call, readOwnerProof(body, caller, call.request));
      const useCode = await proveMailbox(call, proof.account, body.MailCode);
      const use = async (tx: Transaction) => (await proof.use(tx)) && (await useCode(tx));
      await withMinimumDuration(REQUEST_MS, begin(call, { ...proof, use }, email));
      return {};
    },
  }),

  route('POST /account/confirm-email', {
    operationId: 'confirmEmail',
    summary: 'Confirm a new email address with an emailed code',
    description:
      'The new address counts as verified, earlier codes become invalid, and a notice is sent to the previous ' +
      'address. Sessions remain active. Returns 409 if another account has taken the address in the meantime; the ' +
      'holder of the code controls that mailbox and may know.',
    access: 'session',
    body: Type.Object({ Code: Code() }),
    response: Type.Object({}),
    errors: ['invalid_code', 'email_taken', 'too_many_requests'],
    handler: async ({ body, caller: { accountId }, ...call }) => {
      const { deps, request, refuse } = call;
      const known = await accounts.findById(deps.db, accountId);
      const shown = { account: known, purpose: 'change-email', typed: body.Code } as const;
      const { email, use } = await requireCode(call, shown);
      if (email === undefined) throw refuse('invalid_code');
      await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account === undefined || !(await use(tx))) throw refuse('invalid_code');
        const isChanged = await accounts.updateEmail(tx, accountId, { email, emailKey: emailKey(email) });
        // After the rollback, the code is not used up.
        if (!isChanged) throw refuse('email_taken');
        await accountCodes.deleteAll(tx, accountId);
        await voidBegunLogins(tx, accountId);
        await offerTakeBack(deps, tx, account, request);
        tx.audit('email.changed');
      });
      return {};
    },
  }),

  route('POST /account/take-back-email', {
    operationId: 'takeBackEmail',
    summary: 'Take back a change of email address',
    description:
      'Send the code from the link that was mailed to the former address, within seven days. The account has that ' +
      'address again, all sessions end, passkeys and linked identities added since a week before the change are removed, and the ' +
      'owner must choose a new password. Returns 409 if another account has the address by now.',
    access: 'public',
    body: Type.Object({
      // As with invitations, any invalid value gets the same response as a wrong code.
      Code: Type.Optional(Type.Unknown({ description: 'The `Code` parameter of the link, as a string' })),
    }),
    response: Type.Object({}),
    errors: ['invalid_code', 'email_taken'],
    handler: async ({ body: { Code: typed }, ...call }) => {
      const code = typeof typed === 'string' && typed.length <= TAKE_BACK_LENGTH_MAX ? typed : '';
      await takeBack(call, hashInvitationToken(code));
      return {};
    },
  }),
];

/** Without a password, the mailbox is what opens the account, which is asked for next, and the second factor. */
async function proveChange(call: Call<ProofError>, { password, ...shown }: OwnerProofInput): Promise<Proved> {
  const { deps, request, refuse } = call;
  const account = await accounts.findById(deps.db, shown.accountId);
  if (account === undefined) return proved(refuse, { kind: 'unproven' });
  if (password !== undefined) return provePassword(call, { ...shown, password });
  if (account.passwordScheme !== null || !allowsEmailLogin(deps.settings, account))
    throw invalidField('/Password');
  if (usesSecondFactor(account)) return proved(refuse, await proveOwner(deps, shown, request));
  return { kind: 'proved', account, use: () => Promise.resolve(true) };
}

/**
 * Does the same for a free address as for a taken one (limits of mails, notices and invalidated codes): the caller may
 * read the mails to the current address and know an earlier code, and must not see a difference.
 */
async function begin({ deps, request, refuse }: Call<'wrong_password'>, proof: Proved, email: string) {
  const { id } = proof.account;
  const owner = await accounts.findByEmailKey(deps.db, emailKey(email));
  const isTaken = owner !== undefined && owner.id !== id;
  await write(deps, asOwner(id, request), async (tx) => {
    const account = await lockProved(tx, proof, refuse);
    const { MAILS_PER_HOUR } = deps.settings;
    // Beyond the limit of mails of the account or the address, an earlier code stays valid.
    const send = isTaken ? withholdCode : mailCode;
    const isMailed =
      (await mailQuota.takeForAddress(tx, emailKey(email), 'email-change-code', MAILS_PER_HOUR)) &&
      (await send(deps, tx, { ...account, email }, 'change-email', request));
    if (isMailed) tx.audit('email.change-requested');
    await mailNotice(deps, tx, account, 'account.email-change-announced', {}, request);
  });
  if (isTaken) await notifyHolder(deps, owner.id, request);
}

/** Uses a separate transaction, because transactions that lock two accounts in any order could deadlock. */
async function notifyHolder(deps: Deps, ownerId: string, request: RequestFacts): Promise<void> {
  const { traceId } = request;
  await write(deps, { actor: { kind: 'System' }, origin: request }, async (tx) => {
    const owner = await accounts.lockById(tx, ownerId);
    if (owner === undefined) return;
    await mailNotice(deps, tx, owner, 'account.email-claimed', {}, { traceId });
  });
}

/** Mails the former address a link that takes back the change, because whoever made it may not be the owner. */
async function offerTakeBack(deps: Deps, tx: WriteTransaction, before: Account, request: RequestFacts) {
  const { id: accountId, email: formerEmail } = before;
  const data = { UserId: accountId };
  if (!(await mayNotify(deps, tx, before, 'account.email-changed')))
    return tx.event(newEvent('account.email-changed', data, request));
  const code = newInvitationToken();
  const until = await emailChanges.insert(tx, {
    tokenHash: hashInvitationToken(code),
    accountId,
    formerEmail,
    formerEmailKey: emailKey(formerEmail),
    lifetimeDays: TAKE_BACK_DAYS,
  });
  const TakeBack = { Code: code, Until: until.toISOString() };
  const content = { ...recipientOf(before), ...sourceOf(request), TakeBack };
  tx.event(newMailEvent(deps.seal, 'account.email-changed', data, content, request));
}

/**
 * Gives an account its former email again, with the secret of the link that was mailed to that address. Whoever changed
 * the email knew the password and may have left other ways in: the password and the codes become invalid, all sessions
 * end, passkeys and identities added since a week before the change are removed, and an erasure requested since the
 * change is cancelled. A second factor stays, because this mailbox may be the one that was broken into. The owner chooses
 * a new password with a mailed code.
 */
async function takeBack(
  { deps, request, refuse }: Call<'invalid_code' | 'email_taken'>,
  tokenHash: Buffer,
): Promise<void> {
  const accountId = await emailChanges.findAccountId(deps.db, tokenHash);
  if (accountId === undefined) throw refuse('invalid_code');
  await write(deps, asOwner(accountId, request), async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    // Otherwise anybody could prevent this by registering the address: the link proves who can read its mails.
    const removedId = await emailChanges.freeFormerEmail(tx, tokenHash);
    await cancelByFormerEmail(tx, tokenHash, request);
    const taken = await emailChanges.use(tx, tokenHash);
    if (account === undefined || taken === undefined) throw refuse('invalid_code');
    const former = { email: taken.formerEmail, emailKey: taken.formerEmailKey };
    // After the rollback, the link is not used up.
    if (!(await accounts.updateEmail(tx, accountId, former))) throw refuse('email_taken');
    if (removedId !== undefined)
      tx.event(newEvent('account.deleted', { UserId: removedId, Reason: 'unverified' }, request));
    tx.event(newEvent('account.email-changed', { UserId: accountId }, request));
    tx.audit('email.taken-back', removedId === undefined ? undefined : { RemovedId: removedId });
    const since = new Date(taken.changedAt.getTime() - PREPARED_DAYS * 86_400_000);
    await closeOtherWaysIn(tx, account, since, request);
    await tx.endSessions({ kind: 'account', accountId }, 'email_taken_back');
  });
}

async function closeOtherWaysIn(tx: WriteTransaction, account: Account, since: Date, origin: RequestFacts) {
  const { id, isNewPasswordRequired } = account;
  await accounts.removePassword(tx, id);
  await accountCodes.deleteAll(tx, id);
  const keys = await passkeys.removeSince(tx, id, since);
  if (keys.length > 0 && (await twoFactor.find(tx, id))?.isEnabled !== true)
    await recoveryCodes.deleteUnneeded(tx, id);
  const identities = await ssoIdentities.removeSince(tx, id, since);
  const changed = isNewPasswordRequired ? [] : ['NewPasswordRequired'];
  tx.event(...accountUpdated(id, changed, { changedBy: id, origin }));
  for (const PasskeyId of keys) {
    tx.event(newEvent('account.passkey-removed', { UserId: id, PasskeyId }, origin));
    tx.audit('passkey.removed', { PasskeyId });
  }
  for (const identity of identities) {
    const Provider = identity.provider;
    tx.event(newEvent('account.identity-unlinked', { UserId: id, Provider }, origin));
    tx.audit('sso.unlinked', { Provider });
    reportLostGroups(tx, id, identity, asOwner(id, origin));
  }
}
