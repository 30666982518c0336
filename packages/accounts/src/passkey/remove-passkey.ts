import { passkeys, recoveryCodes, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import { mailNotice } from '../checks/mailing.ts';
import type { NoticeDeps } from '../deps.ts';

/**
 * Removes a passkey, and the recovery codes if they no longer replace any second factor; `false` if the account has no
 * such passkey. The owner gets a mail.
 */
export async function deletePasskey(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  id: string,
  origin: Parameters<typeof mailNotice>[5],
): Promise<boolean> {
  if (!(await passkeys.remove(tx, account.id, id))) return false;
  if ((await twoFactor.find(tx, account.id))?.isEnabled !== true)
    await recoveryCodes.deleteUnneeded(tx, account.id);
  await mailNotice(deps, tx, account, 'account.passkey-removed', { PasskeyId: id }, origin);
  return true;
}
