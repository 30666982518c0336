import { hashInvitationToken } from '@gatehouse/auth-core';
import {
  accountCodes,
  accounts,
  audit,
  emailChanges,
  inTransaction,
  outbox,
  passkeys,
  recoveryCodes,
  ssoIdentities,
  twoFactor,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { SessionStatus } from '@gatehouse/schema';
import { accountUpdated } from '../admin/account-updated.ts';
import { byOwner } from '../../actor.ts';
import type { Origin, SessionDeps } from '../../deps.ts';
import { cancelByFormerEmail } from '../../erasure/cancel-erasure.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';

/** Whoever takes an account over may add a way in before changing the email, to return after it was taken back. */
const PREPARED_DAYS = 7;

/** The result of taking back a change; `email_taken`: another account has the former address, and nothing changed. */
export type EmailTakenBack = { kind: 'taken_back' } | { kind: 'invalid_code' } | { kind: 'email_taken' };

/**
 * Gives an account its former email again, with the secret of the link that was mailed to that address. Whoever changed
 * the email knew the password and may have left other ways in: the password and the codes become invalid, all sessions
 * end, passkeys and identities added since a week before the change are removed, and an erasure requested since the
 * change is cancelled. A second factor stays, because this mailbox may be the one that was broken into. The owner chooses
 * a new password with a mailed code.
 */
export async function takeBackEmail(
  deps: SessionDeps,
  code: string,
  origin: Origin,
): Promise<EmailTakenBack> {
  const tokenHash = hashInvitationToken(code);
  const accountId = await emailChanges.findAccountId(deps.db, tokenHash);
  if (accountId === undefined) return { kind: 'invalid_code' };
  const change = {
    status: SessionStatus.Deactivated,
    reason: 'email_taken_back',
    changedBy: accountId,
  } as const;
  let ended: string[] = [];
  const outcome = await inTransaction<EmailTakenBack>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    // Otherwise anybody could prevent this by registering the address: the link proves who can read its mails.
    const removedId = await emailChanges.freeFormerEmail(tx, tokenHash);
    await cancelByFormerEmail(tx, tokenHash, origin);
    const taken = await emailChanges.use(tx, tokenHash);
    if (account === undefined || taken === undefined) return rollBack({ kind: 'invalid_code' });
    const former = { email: taken.formerEmail, emailKey: taken.formerEmailKey };
    // After the rollback, the link is not used up.
    if (!(await accounts.updateEmail(tx, accountId, former))) return rollBack({ kind: 'email_taken' });
    await announce(tx, accountId, removedId, origin);
    const since = new Date(taken.changedAt.getTime() - PREPARED_DAYS * 86_400_000);
    await closeOtherWaysIn(tx, account, since, origin);
    ended = await endSessions(deps, tx, { kind: 'account', accountId }, change, origin);
    return { kind: 'taken_back' };
  });
  if (outcome.kind === 'taken_back') await publishSessions(deps, ended);
  return outcome;
}

async function announce(
  tx: Transaction,
  UserId: string,
  removedId: string | undefined,
  origin: Origin,
): Promise<void> {
  const details = removedId === undefined ? undefined : { RemovedId: removedId };
  await outbox.add(tx, [
    ...(removedId === undefined
      ? []
      : [newEvent('account.deleted', { UserId: removedId, Reason: 'unverified' }, origin)]),
    newEvent('account.email-changed', { UserId }, origin),
  ]);
  await audit.append(tx, [byOwner('email.taken-back', UserId, details)], origin);
}

async function closeOtherWaysIn(
  tx: Transaction,
  account: Account,
  since: Date,
  origin: Origin,
): Promise<void> {
  const { id } = account;
  await accounts.removePassword(tx, id);
  await accountCodes.deleteAll(tx, id);
  const keys = await passkeys.removeSince(tx, id, since);
  if (keys.length > 0 && (await twoFactor.find(tx, id))?.isEnabled !== true)
    await recoveryCodes.deleteUnneeded(tx, id);
  const providers = (await ssoIdentities.removeSince(tx, id, since)).map(({ provider }) => ({
    Provider: provider,
  }));
  await outbox.add(tx, [
    ...accountUpdated(id, account.isNewPasswordRequired ? [] : ['NewPasswordRequired'], {
      changedBy: id,
      origin,
    }),
    ...keys.map((PasskeyId) => newEvent('account.passkey-removed', { UserId: id, PasskeyId }, origin)),
    ...providers.map((provider) =>
      newEvent('account.identity-unlinked', { UserId: id, ...provider }, origin),
    ),
  ]);
  await audit.append(
    tx,
    [
      ...keys.map((PasskeyId) => byOwner('passkey.removed', id, { PasskeyId })),
      ...providers.map((provider) => byOwner('sso.unlinked', id, provider)),
    ],
    origin,
  );
}
