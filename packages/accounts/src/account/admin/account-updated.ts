import type { Account } from '@gatehouse/db';
import { newEvent, type EventData } from '@gatehouse/events';

/**
 * The event for changes of these fields (docs/events.md), none if there are none; every operation that changes one adds
 * it to its transaction. `changedBy` is an account's id.
 */
export function accountUpdated(
  accountId: string,
  changed: readonly string[],
  by: { changedBy?: string | undefined; role?: Account['role']; origin: { traceId: string } | undefined },
) {
  if (changed.length === 0) return [];
  const { changedBy, role, origin } = by;
  const eventData: EventData<'account.updated'> = {
    UserId: accountId,
    Changed: [...changed],
    ...(role !== undefined && { Role: role }),
    ...(changedBy !== undefined && { ChangedBy: changedBy }),
  };
  return [newEvent('account.updated', eventData, origin)];
}

type Named = Pick<Account, 'displayName' | 'locale'>;

export function differingNames(before: Named, after: Named): string[] {
  return [
    ...(before.displayName === after.displayName ? [] : ['DisplayName']),
    ...(before.locale === after.locale ? [] : ['Locale']),
  ];
}
