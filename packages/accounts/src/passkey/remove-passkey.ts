import {
  accounts,
  audit,
  inTransaction,
  passkeys as ownPasskeys,
  recoveryCodes,
  twoFactor,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, LoginDeps, MailDeps, NoticeDeps, Origin } from '../deps.ts';
import { allowsEmailLogin } from '../checks/allows-email-login.ts';
import { canSignOn } from '../checks/can-sign-on.ts';
import { mailNotice } from '../checks/mailing.ts';
import { proveMailbox, type MailboxInput, type MailboxProof } from '../checks/prove-mailbox.ts';
import { endSessions, publishSessions } from '../session/open-and-end.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from './prove-owner.ts';

/**
 * The result of a removal. `needed`: without this passkey, the owner could not log in, or would lack the second factor
 * that is required.
 */
export type PasskeyRemoval =
  | { kind: 'removed' }
  | { kind: 'unknown' }
  | { kind: 'needed'; as: 'only_way' | 'second_factor' }
  | Extract<MailboxProof, { kind: 'mailbox' }>
  | Exclude<OwnerProof, { kind: 'proved' }>;

/**
 * Removes one of the owner's passkeys, unless it is needed, and ends the sessions that it opened, except the session of
 * this request: one of them may be a thief's. The last one also asks for a code from a mail, if the account can then be
 * opened with mailed codes.
 *
 * @param shows `providers`: the identity providers that the installation offers.
 */
export async function removePasskey(
  deps: LoginDeps & MailDeps & Pick<AccountsDeps, 'relay'>,
  shows: OwnerProofInput & MailboxInput & { id: string; providers: readonly string[] },
  origin: Origin,
): Promise<PasskeyRemoval> {
  const { accountId, sessionId, id } = shows;
  if (!(await ownPasskeys.isOfAccount(deps.db, accountId, id))) return { kind: 'unknown' };
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const isLast = (await ownPasskeys.count(deps.db, accountId)) === 1;
  const mailbox = isLast ? await proveMailbox(deps, proof.account, shows, origin) : undefined;
  if (mailbox !== undefined && mailbox.kind !== 'proved') return mailbox;
  let ended: string[] = [];
  const removal = await inTransaction<PasskeyRemoval>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account?.passwordVersion !== proof.account.passwordVersion) return { kind: 'unproven' };
    const need = await needOf(deps, tx, account, shows.providers);
    if (need !== undefined) return { kind: 'needed', as: need };
    // Another request may have removed the others meanwhile: then no code was asked for yet.
    if (mailbox === undefined && (await isLastOfMailbox(deps, tx, account)))
      return { kind: 'mailbox', is: 'needed' };
    if (!(await proof.use(tx))) return rollBack({ kind: 'unproven' });
    if ((await mailbox?.use(tx)) === false) return rollBack({ kind: 'mailbox', is: 'wrong' });
    if (!(await deletePasskey(deps, tx, account, id, origin))) return rollBack({ kind: 'unknown' });
    await audit.append(tx, [byOwner('passkey.removed', accountId, { PasskeyId: id })], origin);
    const opened = { kind: 'passkey', accountId, passkeyId: id, exceptSessionId: sessionId } as const;
    const ending = { status: SessionStatus.Deactivated, reason: 'passkey_removed' } as const;
    ended = await endSessions(deps, tx, opened, { ...ending, changedBy: accountId }, origin);
    return { kind: 'removed' };
  });
  if (removal.kind === 'removed') await publishSessions(deps, ended);
  return removal;
}

/** What the account's only passkey is needed for; `undefined` if it is not needed. */
async function needOf(
  { settings }: Pick<LoginDeps, 'settings'>,
  tx: Transaction,
  account: Account,
  providers: readonly string[],
): Promise<'only_way' | 'second_factor' | undefined> {
  if ((await ownPasskeys.count(tx, account.id)) > 1) return undefined;
  const hasOtherMethod =
    account.passwordScheme !== null ||
    allowsEmailLogin(settings, account) ||
    (await canSignOn(tx, account, providers));
  if (!hasOtherMethod) return 'only_way';
  const isSecondFactor = account.isTwoFactorRequired && !(await hasAuthenticator(tx, account.id));
  return isSecondFactor ? 'second_factor' : undefined;
}

async function isLastOfMailbox(
  { settings }: Pick<LoginDeps, 'settings'>,
  tx: Transaction,
  account: Account,
): Promise<boolean> {
  return allowsEmailLogin(settings, account) && (await ownPasskeys.count(tx, account.id)) === 1;
}

/** Removes a passkey, and the recovery codes if they no longer replace any second factor. */
export async function deletePasskey(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  id: string,
  origin: Parameters<typeof mailNotice>[5],
): Promise<boolean> {
  if (!(await ownPasskeys.remove(tx, account.id, id))) return false;
  if (!(await hasAuthenticator(tx, account.id))) await recoveryCodes.deleteUnneeded(tx, account.id);
  const eventData = { UserId: account.id, PasskeyId: id };
  await mailNotice(deps, tx, account, 'account.passkey-removed', eventData, origin);
  return true;
}

async function hasAuthenticator(tx: Transaction, accountId: string): Promise<boolean> {
  return (await twoFactor.find(tx, accountId))?.isEnabled === true;
}
