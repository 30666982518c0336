import { SessionStatus } from '@gatehouse/client';
import type { Input } from '../api/call-api.ts';
import { momentOf } from '../ui/moment.ts';

export type SessionQuery = NonNullable<Input<'GET /admin/user-session'>['query']>;
export type SessionFilter = NonNullable<NonNullable<Input<'POST /admin/user-session'>['body']>['Filter']>;

/** The sessions that a change targets. */
export type Target =
  { Filter: SessionFilter } | { SessionId: string } | { SessionIds: readonly string[] } | { UserId: string };

/** The statuses that sessions can have: `PendingInvite` is only for invitations. */
export const STATUSES = Object.values(SessionStatus).filter(
  (status) => status !== SessionStatus.PendingInvite,
);

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

type Values = Readonly<Record<string, string>>;

const TEXTS = [
  'search',
  'status',
  'isOnline',
  'userId',
  'contentDefinitionId',
  'ipAddress',
  'ssoProvider',
  'deviceName',
  'endReason',
] as const;
const MOMENTS = ['createdFrom', 'createdTo', 'endedFrom', 'endedTo', 'lastSeenBefore'] as const;

/** The filters in the address, as query parameters of the API. */
export function queryOf(values: Values): SessionQuery {
  const query = {
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name]])),
    ...Object.fromEntries(MOMENTS.map((name) => [name, momentOf(values[name])])),
  };
  // The address may contain any value: the API rejects the invalid ones.
  return query;
}

/** The filters in the address, as the `Filter` of a change; `undefined` if there are none. */
export function filterOf(values: Values): SessionFilter | undefined {
  const given = Object.entries(queryOf(values)).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, valueOf(name, value)]),
  );
}

/** Converts text to its JSON type. An invalid boolean stays unchanged, so that the API rejects it. */
function valueOf(name: string, value: unknown): unknown {
  if (name === 'status') return Number(value);
  if (name !== 'isOnline') return value;
  return value === 'true' || (value === 'false' ? false : value);
}
