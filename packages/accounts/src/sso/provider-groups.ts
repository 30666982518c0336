import {
  accountAdmin,
  audit,
  clientSessionAdmin,
  outbox,
  sessionStatus,
  type Transaction,
} from '@gatehouse/db';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { Origin } from '../deps.ts';

/**
 * Sets the groups of a linked account to those that its provider has just named; nothing if the provider names none
 * (`groups` undefined). Whoever loses a group is signed out of the applications that require it.
 */
export async function takeProviderGroups(
  tx: Transaction,
  { provider, accountId, groups }: { provider: string; accountId: string; groups: string[] | undefined },
  origin: Origin,
): Promise<void> {
  if (groups === undefined) return;
  const before = await accountAdmin.replaceGroups(tx, accountId, groups);
  if (before === undefined) return;
  const entry = {
    action: 'account.changed',
    actor: { kind: 'System' },
    target: { kind: 'Account', id: accountId },
    details: { Groups: groups, Provider: provider },
  } as const;
  await audit.append(tx, [entry], origin);
  await outbox.add(tx, accountUpdated(accountId, ['Groups'], { origin }));
  if (before.every((group) => groups.includes(group))) return;
  await sessionStatus.lockOfAccounts(tx, [accountId]);
  await clientSessionAdmin.removeNotLetIn(tx, { accountIds: [accountId] });
}
