import type { Account } from '@gatehouse/db';
import { newEvent, type EventData } from '@gatehouse/events';

/**
 * What others are told where these fields of an account have changed (docs/events.md), by their names in `/admin/account`;
 * nothing without any. Whatever changes one adds it to the outbox in its transaction. `changedBy` is an account's id.
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

/** Which of the two differ that an owner chooses. */
export function differingNames(before: Named, after: Named): string[] {
  return [
    ...(before.displayName === after.displayName ? [] : ['DisplayName']),
    ...(before.locale === after.locale ? [] : ['Locale']),
  ];
}
