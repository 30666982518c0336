import {
  accounts,
  audit,
  inTransaction,
  mailQuota,
  passwordProofs,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, MailDeps, Origin, PasswordDeps } from '../deps.ts';
import type { Throttled } from '../login/attempts.ts';
import { checkOwnPassword, type ProvedAccount } from '../login/credentials.ts';
import { mailCode, mailNotice, withholdCode } from '../mail/mailing.ts';

/** The result of a request for another email. */
export type EmailChangeRequest = { kind: 'requested' } | { kind: 'wrong_password' } | Throttled;

type Deps = PasswordDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/** The usual time of a request, for a free address as well as for a taken one. */
const REQUEST_MS = 100;

/** Mails a code to the new email of an account, which requires its password. */
export async function requestEmailChange(
  deps: Deps,
  own: { accountId: string; email: string; password: string; addressGroup: string },
  origin: Origin,
): Promise<EmailChangeRequest> {
  const { accountId, email, password, addressGroup } = own;
  const checked = await checkOwnPassword(deps, { accountId, password, addressGroup });
  if (checked.kind === 'throttled') return checked;
  if (checked.kind === 'failed') return { kind: 'wrong_password' };
  return withMinimumDuration(REQUEST_MS, begin(deps, checked, email, origin));
}

/**
 * Does the same for a free address as for a taken one (limits of mails, notices and invalidated codes), because the
 * caller may read the mails to the current address and know an earlier code, and must not see a difference.
 */
async function begin(
  deps: Deps,
  { account: checked, proof }: ProvedAccount,
  email: string,
  origin: Origin,
): Promise<EmailChangeRequest> {
  const owner = await accounts.findByEmailKey(deps.db, emailKey(email));
  const isTaken = owner !== undefined && owner.id !== checked.id;

  const isProved = await inTransaction<boolean>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, checked.id);
    if (account?.passwordVersion !== checked.passwordVersion) return rollBack(false);
    const begun = await beginChange(deps, tx, { account, proof, email, isTaken }, origin);
    if (begun === 'unproved') return rollBack(false);
    if (begun === 'begun') await audit.append(tx, [byOwner('email.change-requested', account.id)], origin);
    await mailNotice(deps, tx, account, 'account.email-change-announced', { UserId: account.id }, origin);
    return true;
  });
  if (!isProved) return { kind: 'wrong_password' };
  if (isTaken) await noticeOwner(deps, owner.id, origin);
  deps.relay.wake();
  return { kind: 'requested' };
}

/** `beyond_share`: the account or the address has reached its limit of mails; an earlier code stays valid. */
async function beginChange(
  deps: MailDeps,
  tx: Transaction,
  wanted: { account: Account; proof: string; email: string; isTaken: boolean },
  origin: Origin,
): Promise<'begun' | 'beyond_share' | 'unproved'> {
  const { account, proof, email, isTaken } = wanted;
  const { MAILS_PER_HOUR } = deps.settings;
  const key = emailKey(email);
  if (!(await mailQuota.takeForAddress(tx, key, 'email-change-code', MAILS_PER_HOUR))) return 'beyond_share';
  if (isTaken) return (await withholdCode(deps, tx, account, 'change-email')) ? 'begun' : 'beyond_share';
  const isMailed = await mailCode(deps, tx, { ...account, email }, 'change-email', origin);
  if (!isMailed) return 'beyond_share';
  const isProved = await passwordProofs.beginEmailChange(tx, account.id, { proof, email, emailKey: key });
  return isProved ? 'begun' : 'unproved';
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
