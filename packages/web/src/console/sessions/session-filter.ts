import { SessionStatus } from 'gatehouse-client';
import type { Input } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { useWordsFor } from '../text.ts';
import type { Filter, Option } from '../ui/table/filters.ts';
import { END_REASONS } from './end-reasons.ts';

type Change = NonNullable<Input<'POST /admin/user-session'>['body']>;

export type SessionFilter = Extract<Change, { Filter: unknown }>['Filter'];

/** The sessions that a change targets. */
export type Target =
  { Filter: SessionFilter } | { SessionId: string } | { SessionIds: readonly string[] } | { UserId: string };

/** The statuses that sessions can have: `PendingInvite` is only for invitations. */
const STATUSES = Object.values(SessionStatus).filter((status) => status !== SessionStatus.PendingInvite);

/** The filters of the session list. */
export const SESSION_FILTERS: readonly Filter[] = [
  { name: 'search', label: 'sessions.search', type: 'search' },
  { name: 'status', label: 'sessions.status', type: 'number', options: STATUSES, texts: 'sessionStatus' },
  { name: 'isOnline', label: 'sessions.online', type: 'boolean' },
  { name: 'ipAddress', label: 'sessions.network', isRare: true },
  { name: 'deviceName', label: 'sessions.deviceName', isRare: true },
  { name: 'tag', label: 'sessions.tag', isRare: true },
  { name: 'ssoProvider', label: 'sessions.provider', useOptions: useProviders, isRare: true },
  { name: 'endReason', label: 'sessions.endReason', useOptions: useEndReasons, isRare: true },
  { name: 'createdFrom', label: 'sessions.createdFrom', type: 'datetime-local', isRare: true },
  { name: 'createdTo', label: 'sessions.createdTo', type: 'datetime-local', isRare: true },
  { name: 'endedFrom', label: 'sessions.endedFrom', type: 'datetime-local', isRare: true },
  { name: 'endedTo', label: 'sessions.endedTo', type: 'datetime-local', isRare: true },
  { name: 'lastSeenBefore', label: 'sessions.idle', type: 'datetime-local', isRare: true },
  { name: 'userId', label: 'sessions.userId', isRare: true },
  { name: 'contentDefinitionId', label: 'sessions.contentId', isRare: true },
];

/** The identity providers; the one in the address may no longer exist. */
function useProviders(value: string): string[] {
  const known = useQuery('GET /admin/sso-provider').data?.Items.map(({ Id }) => Id) ?? [];
  return [...new Set([...known, ...(value === '' ? [] : [value])])];
}

/** The reasons why sessions end. The address may contain several, separated by commas. */
function useEndReasons(value: string): Option[] {
  const wordsFor = useWordsFor();
  const nameOf = (reasons: string): string =>
    reasons
      .split(',')
      .map((reason) => wordsFor('sessionReason', reason))
      .join(', ');
  const several = value.includes(',') ? [value] : [];
  return [...several, ...END_REASONS].map((reasons) => ({ value: reasons, words: nameOf(reasons) }));
}

const ENDED: ReadonlySet<unknown> = new Set([
  SessionStatus.SessionReplaced,
  SessionStatus.Deactivated,
  SessionStatus.Expired,
  SessionStatus.DeletedInvite,
]);

/** Whether a filter selects ended sessions, which a change can reactivate. */
export function isOfEnded({ Status }: SessionFilter): boolean {
  return ENDED.has(Status);
}
