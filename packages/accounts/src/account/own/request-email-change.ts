import { accounts, audit, inTransaction, mailQuota, type Account, type Transaction } from '@gatehouse/db';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { byOwner } from '../../actor.ts';
import type { AccountsDeps, LoginDeps, MailDeps, Origin } from '../../deps.ts';
import { mailCode, mailNotice, withholdCode } from '../../checks/mailing.ts';
import { allowsEmailLogin } from '../../checks/allows-email-login.ts';
import { usesSecondFactor } from '../../checks/login-status.ts';
import { proveMailbox, type MailboxInput, type MailboxProof } from '../../checks/prove-mailbox.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from '../../passkey/prove-owner.ts';
import { lockProved, PROVED_TOO_LATE, provePassword, type NotProved } from '../../passkey/prove-password.ts';

/**
 * The result of a request for another email. `password_required`: the account has a password, which was not given;
 * `mailbox`: a code from a mail to the present address is needed, or was wrong.
 */
export type EmailChangeRequest =
  | { kind: 'requested' }
  | { kind: 'password_required' }
  | Extract<MailboxProof, { kind: 'mailbox' }>
  | NotProved;

type Deps = LoginDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/** The usual time of a request, for a free address as well as for a taken one. */
const REQUEST_MS = 100;

/**
 * Mails a code to the new email of an account, which requires its password, and its second factor if it has one; and, if
 * the account can be opened with mailed codes, a code from a mail to its present address.
 */
export async function requestEmailChange(
  deps: Deps,
  { email, ...shown }: OwnerProofInput & MailboxInput & { email: string },
  origin: Origin,
): Promise<EmailChangeRequest> {
  const account = await accounts.findById(deps.db, shown.accountId);
  if (account === undefined) return { kind: 'unproven' };
  const proof = await proveChange(deps, account, shown, origin);
  if (proof.kind !== 'proved') return proof;
  const mailbox = await proveMailbox(deps, account, shown, origin);
  if (mailbox.kind !== 'proved') return mailbox;
  const use = async (tx: Transaction) => (await proof.use(tx)) && (await mailbox.use(tx));
  return withMinimumDuration(REQUEST_MS, begin(deps, { ...proof, use }, email, origin));
}

/** Without a password, the mailbox is what opens the account, which is asked for next, and the second factor. */
async function proveChange(
  deps: Deps,
  account: Account,
  { password, ...shown }: OwnerProofInput,
  origin: Origin,
): Promise<OwnerProof | { kind: 'password_required' }> {
  if (password !== undefined) return provePassword(deps, { ...shown, password }, origin);
  if (account.passwordScheme !== null || !allowsEmailLogin(deps.settings, account))
    return { kind: 'password_required' };
  if (usesSecondFactor(account)) return proveOwner(deps, shown, origin);
  return { kind: 'proved', account, use: () => Promise.resolve(true) };
}

/**
 * Does the same for a free address as for a taken one (limits of mails, notices and invalidated codes), because the
 * caller may read the mails to the current address and know an earlier code, and must not see a difference.
 */
async function begin(
  deps: Deps,
  proof: Extract<OwnerProof, { kind: 'proved' }>,
  email: string,
  origin: Origin,
): Promise<EmailChangeRequest> {
  const owner = await accounts.findByEmailKey(deps.db, emailKey(email));
  const isTaken = owner !== undefined && owner.id !== proof.account.id;

  const isProved = await inTransaction<boolean>(deps.db, origin, async (tx, rollBack) => {
    const account = await lockProved(tx, proof);
    if (account === undefined) return rollBack(false);
    if (await beginChange(deps, tx, { account, email, isTaken }, origin))
      await audit.append(tx, [byOwner('email.change-requested', account.id)], origin);
    await mailNotice(deps, tx, account, 'account.email-change-announced', { UserId: account.id }, origin);
    return true;
  });
  if (!isProved) return PROVED_TOO_LATE;
  if (isTaken) await noticeOwner(deps, owner.id, origin);
  deps.relay.wake();
  return { kind: 'requested' };
}

/** `false`: the account or the address has reached its limit of mails; an earlier code stays valid. */
async function beginChange(
  deps: MailDeps,
  tx: Transaction,
  { account, email, isTaken }: { account: Account; email: string; isTaken: boolean },
  origin: Origin,
): Promise<boolean> {
  const { MAILS_PER_HOUR } = deps.settings;
  if (!(await mailQuota.takeForAddress(tx, emailKey(email), 'email-change-code', MAILS_PER_HOUR)))
    return false;
  if (isTaken) return withholdCode(deps, tx, { ...account, email }, 'change-email', origin);
  return mailCode(deps, tx, { ...account, email }, 'change-email', origin);
}

/** Uses a separate transaction, because transactions that lock two accounts in any order could deadlock. */
async function noticeOwner(deps: Deps, ownerId: string, origin: Origin): Promise<void> {
  const { traceId } = origin;
  await inTransaction(deps.db, origin, async (tx) => {
    const owner = await accounts.lockById(tx, ownerId);
    if (owner === undefined) return;
    await mailNotice(deps, tx, owner, 'account.email-claimed', { UserId: owner.id }, { traceId });
  });
}
