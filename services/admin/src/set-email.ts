import { receivesMail, recipientOf, voidBegunLogins } from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accountCodes, accounts, type Account } from '@gatehouse/db';
import { newEvent, newMailEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';

/**
 * Changes the email of a locked account now; `false` if another account has it. The former address gets no link that
 * takes this back: it may be that of a stranger, or of whoever broke into the mailbox.
 */
export async function setEmail(
  deps: Pick<AccountsDeps, 'seal'>,
  tx: WriteTransaction,
  account: Account,
  { email, verifies }: { email: string; verifies: boolean },
  { traceId }: Pick<Origin, 'traceId'>,
): Promise<boolean> {
  const { id } = account;
  if (!(await accounts.updateEmail(tx, id, { email, emailKey: emailKey(email), verifies }))) return false;
  await accountCodes.deleteAll(tx, id);
  await voidBegunLogins(tx, id);
  const data = { UserId: id };
  tx.event(newEvent('account.email-changed', data, { traceId }));
  const mails = receivesMail(account, 'own') ? [account, { ...account, email }] : [];
  for (const to of mails) {
    const content = { ...recipientOf(to), At: new Date().toISOString() };
    tx.event(newMailEvent(deps.seal, 'account.email-set', data, content, { traceId }));
  }
  return true;
}
