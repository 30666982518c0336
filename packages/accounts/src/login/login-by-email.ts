import { accounts, BY_MAIL_CODE, type Transaction } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { conditionOf, requiresSecondFactor } from '../checks/login-status.ts';
import { checkMailCode, type ShownMailCode } from '../email-login/check-mail-code.ts';
import { settleEmail } from '../email-login/settle-email.ts';
import type { Throttled } from '../checks/attempts.ts';
import { openSession, type OnSessionOpen, type Opening } from '../session/sessions.ts';
import type { SecondStep } from '../two-factor/second-step.ts';
import { requestSecondFactor } from '../two-factor/two-factor-login.ts';

/** The result of a login with a mailed code; with `accountId` if the code was correct. */
type EmailLogin =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string })
  | { kind: 'second_factor'; accountId: string; next: SecondStep }
  | { kind: 'failed'; accountId?: string }
  | Throttled;

type LoginOrigin = Origin & { deviceName?: string | undefined; onOpen?: OnSessionOpen | undefined };

/**
 * Logs in with a mailed code, which is one factor, like a password: the same conditions apply, and an account with a
 * second factor is asked for it. The code is used up in the transaction that opens the session, or that asks for the
 * second factor.
 */
export async function loginByEmail(
  deps: LoginDeps,
  shown: ShownMailCode,
  { onOpen, ...origin }: LoginOrigin,
): Promise<EmailLogin> {
  const checked = await checkMailCode(deps, shown);
  if (checked.kind === 'failed' || checked.kind === 'throttled') return checked;
  const { use } = checked;
  const accountId = checked.account.id;
  const account = await settleEmail(deps, checked.account, checked.codeId, origin);
  if (account === undefined) return { kind: 'failed', accountId };
  const condition = conditionOf(account);
  if (condition !== undefined) return { kind: 'condition', accountId, condition };
  if (requiresSecondFactor(account)) {
    const first = { by: 'mail-code', use } as const;
    const asked = await requestSecondFactor(deps, account, origin, first);
    return asked.kind === 'stale'
      ? { kind: 'failed', accountId }
      : { kind: 'second_factor', accountId, next: asked.next };
  }
  const useAlone = async (tx: Transaction): Promise<boolean> => {
    // Read again under the lock: the account may have got a second factor meanwhile.
    const now = await accounts.findById(tx, accountId);
    return now !== undefined && !requiresSecondFactor(now) && (await use(tx));
  };
  const by = { ...origin, authentication: BY_MAIL_CODE };
  const opening = await openSession(deps, account, by, useAlone, onOpen);
  return opening.kind === 'stale' ? { kind: 'failed', accountId } : { accountId, ...opening };
}
