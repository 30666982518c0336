import { isDeepStrictEqual } from 'node:util';
import { accountGroups, accounts, audit, clientSessions, outbox, type Transaction } from '@gatehouse/db';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { Origin } from '../deps.ts';

/**
 * Sets the groups that a provider says of a linked account to those that it has just named; those that others say stay.
 * Nothing if it has said nothing about groups (`groups` undefined). Whoever loses a group is signed out of the
 * applications that require it.
 */
export async function takeProviderGroups(
  tx: Transaction,
  { provider, accountId, groups }: { provider: string; accountId: string; groups: string[] | undefined },
  origin: Origin,
): Promise<void> {
  if (groups === undefined) return;
  const isSame = async () => {
    const before = await accountGroups.findOfSource(tx, accountId, provider);
    return isDeepStrictEqual(before.toSorted(), groups);
  };
  if (await isSame()) return;
  // As everywhere, the account is locked before what belongs to it; another sign-on may have done the same meanwhile.
  await accounts.lockById(tx, accountId);
  if (await isSame()) return;
  await accountGroups.replace(tx, [accountId], provider, groups);
  const entry = {
    action: 'account.changed',
    actor: { kind: 'System' },
    target: { kind: 'Account', id: accountId },
    details: { Groups: groups, Provider: provider },
  } as const;
  await audit.append(tx, [entry], origin);
  await outbox.add(tx, accountUpdated(accountId, ['Groups'], { origin }));
  await clientSessions.removeNotLetIn(tx, { accountIds: [accountId] });
}
