import type { Account } from '@gatehouse/db';
import { newEvent, type EventData } from '@gatehouse/events';

/**
 * The event for changes to these fields of an account (docs/events.md), with the names of `/admin/account`; no event if
 * there are none. Every operation that changes one of them adds the event to the outbox in its transaction. `changedBy`
 * is an account's id.
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

/** Which of the fields that an owner chooses differ between the two. */
export function differingNames(before: Named, after: Named): string[] {
  return [
    ...(before.displayName === after.displayName ? [] : ['DisplayName']),
    ...(before.locale === after.locale ? [] : ['Locale']),
  ];
}
