import type { EndReason } from '@gatehouse/schema';
import { SessionStatus } from 'gatehouse-client';
import { type Input, useQuery } from '../api/call-api.ts';
import { named, type PrefixFor, wordsFor } from '../text.ts';
import type { Filter, Option } from '../ui/filters.ts';

type Change = NonNullable<Input<'POST /admin/user-session'>['body']>;

export type SessionFilter = Extract<Change, { Filter: unknown }>['Filter'];

/** The statuses that sessions can have: `PendingInvite` is only for invitations. */
const STATUSES = Object.values(SessionStatus).filter((status) => status !== SessionStatus.PendingInvite);

/** Why a session ended (docs/sessions.md): by its type, every reason has a text. */
const REASON: PrefixFor<'sessionReason', EndReason> = 'sessionReason';

export const SESSION_FILTERS: readonly Filter[] = [
  { name: 'search', label: 'search.label', type: 'search' },
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
  { name: 'contentDefinitionId', label: 'content.id', isRare: true },
];

/** All but that of its beginning. The address may contain several, separated by commas. */
function useEndReasons(value: string): Option[] {
  const all = named(REASON).filter((reason) => reason !== 'login');
  const several = value.includes(',') ? [value] : [];
  return [...several, ...all].map((reasons) => {
    const words = reasons.split(',').map((reason) => wordsFor(REASON, reason));
    return { value: reasons, words: words.join(', ') };
  });
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

/** The identity providers to choose from, also the one in the address, which may no longer be configured. */
export function useProviders(value: string): readonly (string | Option)[] {
  const { data } = useQuery('GET /admin/sso-provider', {});
  const known = data?.Items.map(({ Id, Name }) => ({ value: Id, words: Name })) ?? [];
  return value === '' || known.some((one) => one.value === value) ? known : [...known, value];
}
