import type { UnlinkedIdentity } from '@gatehouse/db';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { Author, WriteTransaction } from '../session/write.ts';

/** Reports that an account has lost the groups that the provider of an unlinked identity gave it, if there were any. */
export function reportLostGroups(
  tx: WriteTransaction,
  accountId: string,
  { provider, hadGroups }: UnlinkedIdentity,
  { actor, origin }: Author,
): void {
  if (!hadGroups) return;
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  tx.audit('account.changed', { Groups: [], Provider: provider }, { kind: 'Account', id: accountId });
  tx.event(...accountUpdated(accountId, ['Groups'], { changedBy, origin }));
}
