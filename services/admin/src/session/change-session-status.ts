import {
  CHANGED_MAX,
  changeSessions,
  SHOWN_MAX,
  UNPROVEN_MAX,
  type ChangeTarget,
  type Refused,
} from '@gatehouse/accounts';
import { OneOf, SessionStatus, type Static, Text, Type, Uuid } from '@gatehouse/schema';
import { type ApiError, confirmationRequired, type Refuse } from '@gatehouse/http';
import { changeInBulk, dryRun } from '../bulk-order.ts';
import { exactlyOneOf } from '../exactly-one-of.ts';
import { route } from '../deps.ts';
import { invitationItem, SessionAnswer, sessionAnswer } from './session-answer.ts';
import { sessionFilters } from './session-filters.ts';

const Body = Type.Object(
  {
    SessionId: Type.Optional(Uuid()),
    SessionIds: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })),
    UserId: Type.Optional(Uuid()),
    Filter: Type.Optional(sessionFilters.body),
    Status: OneOf(SessionStatus),
    Reason: Type.Optional(Text(200, { description: 'Recorded in the session history' })),
    DryRun: dryRun(),
  },
  {
    oneOfFields: {
      OfSession: ['SessionId'],
      OfSessions: ['SessionIds'],
      OfUser: ['UserId'],
      OfFilter: ['Filter'],
    },
  },
);

export const changeSessionStatus = route({
  method: 'post',
  path: '/admin/user-session',
  operationId: 'changeSessionStatus',
  tag: 'Sessions',
  summary: 'Change the status of sessions or of a guest’s invitations',
  description:
    'Send exactly one of `SessionId`, `SessionIds`, `UserId` and `Filter`: all matching sessions are ' +
    `changed or none, at most ${CHANGED_MAX}. Statuses 1, 2 and 5 are active; 3, 4, 7 and 8 end a ` +
    'session; 6 and 8 apply to the invitations of a guest who has not registered yet. `Items` contains ' +
    `the newest ${SHOWN_MAX} of them after the change, \`Count\` the total, \`UserCount\` the number of their ` +
    'users and `Ids` all of their IDs.',
  access: ['Admin'],
  recent: {
    when: `it applies to more than ${UNPROVEN_MAX} sessions, to one of an administrator, or makes an ended one active again`,
  },
  body: Body,
  response: Type.Object({
    Items: Type.Array(SessionAnswer),
    Count: Type.Integer({ minimum: 0 }),
    UserCount: Type.Integer({ minimum: 0 }),
    Ids: Type.Array(Uuid(), { description: 'Newest first' }),
  }),
  errors: ['not_found', 'conflict', 'too_many_requests', 'confirmation_required'],
  handler: async ({ body, deps, refuse, ...asked }) => {
    const target = targetOf(body);
    const most = { max: CHANGED_MAX, things: 'sessions' };
    const changed = await changeInBulk({ ...asked, body, refuse }, most, (order) =>
      changeSessions(deps, target, { ...order, status: body.Status }),
    );
    if (changed.kind !== 'changed') throw refusal(refuse, changed.kind, target);
    return {
      Items: [...changed.sessions.map(sessionAnswer), ...changed.invitations.map(invitationItem)],
      Count: changed.count,
      UserCount: changed.accountCount,
      Ids: changed.ids,
    };
  },
});

/** The sessions to change: a mistyped or missing filter must never mean all of them. */
function targetOf({ SessionId, SessionIds, UserId, Filter: filter }: Static<typeof Body>): ChangeTarget {
  const given = [SessionId, SessionIds, UserId, filter].filter((one) => one !== undefined);
  if (given.length !== 1) throw exactlyOneOf('SessionId', 'SessionIds', 'UserId', 'Filter');
  if (SessionId !== undefined) return { kind: 'session', sessionId: SessionId };
  if (SessionIds !== undefined) return { kind: 'named', sessionIds: SessionIds };
  if (UserId !== undefined) return { kind: 'account', accountId: UserId };
  return { kind: 'filter', filter: sessionFilters.ofBody(filter ?? {}) };
}

const HOUR_SECONDS = 3600;

function refusal(
  refuse: Refuse<'not_found' | 'conflict' | 'too_many_requests' | 'confirmation_required'>,
  reason: Exclude<Refused['kind'], 'too_many'>,
  target: ChangeTarget,
): ApiError {
  switch (reason) {
    case 'unknown':
      return refuse('not_found', `${target.kind === 'session' ? 'Session' : 'Account'} not found`);
    case 'unproven':
      return confirmationRequired(refuse);
    case 'share_used_up':
      return refuse('too_many_requests', 'Hourly limit of invitations to this email address reached', {
        retryAfterSeconds: HOUR_SECONDS,
      });
    default:
      return refuse('conflict', CONFLICTS[reason]);
  }
}

const CONFLICTS = {
  too_old: 'The absolute lifetime of the session is over; it cannot be reactivated',
  revoked:
    'The session is permanently revoked: what it was opened with no longer opens the account, or its refresh token was copied',
  account_closed: 'The account is disabled, expired or pending',
  not_invited: 'Status 6 applies only to invitations of a guest who has not registered',
  inviter_gone: 'The inviter is disabled or no longer exists; someone else must send a new invitation',
};
