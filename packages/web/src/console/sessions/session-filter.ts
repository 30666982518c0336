import { SessionStatus } from '@gatehouse/client';
import type { Input } from '../api/call-api.ts';
import { momentOf } from '../ui/moment.ts';

export type SessionQuery = NonNullable<Input<'GET /admin/user-session'>['query']>;
export type SessionFilter = NonNullable<NonNullable<Input<'POST /admin/user-session'>['body']>['Filter']>;

/** Whose sessions are changed. */
export type Target =
  { Filter: SessionFilter } | { SessionId: string } | { SessionIds: readonly string[] } | { UserId: string };

/** The statuses of sessions: one is for invitations alone. */
export const STATUSES = Object.values(SessionStatus).filter(
  (status) => status !== SessionStatus.PendingInvite,
);

const ENDED: ReadonlySet<unknown> = new Set([
  SessionStatus.SessionReplaced,
  SessionStatus.Deactivated,
  SessionStatus.Expired,
  SessionStatus.DeletedInvite,
]);

/** Whether it chooses sessions that have ended: those can be brought back. */
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
] as const;
const MOMENTS = ['createdFrom', 'createdTo', 'endedFrom', 'endedTo', 'lastSeenBefore'] as const;

/** What the address narrows the list by, as the API takes it. */
export function queryOf(values: Values): SessionQuery {
  const query = {
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name]])),
    ...Object.fromEntries(MOMENTS.map((name) => [name, momentOf(values[name])])),
  };
  // What stands in an address may be anything: the API says what it takes.
  return query;
}

/** The same, as a change of all that match takes it; nothing where the list is of everybody. */
export function filterOf(values: Values): SessionFilter | undefined {
  const given = Object.entries(queryOf(values)).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, valueOf(name, value)]),
  );
}

/** As JSON has it; what is none of that stays as it is, so that the API refuses it. */
function valueOf(name: string, value: unknown): unknown {
  if (name === 'status') return Number(value);
  if (name !== 'isOnline') return value;
  return value === 'true' || (value === 'false' ? false : value);
}
