import {
  actorOf,
  CHANGED_MAX,
  changeSessions,
  SHOWN_MAX,
  UNPROVEN_MAX,
  type ChangeRefusal,
  type ChangeTarget,
} from '@gatehouse/accounts';
import {
  type FaultCode,
  OneOf,
  SessionStatus,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { type ApiError, confirmationRequired, invalidRequest, type Refuse } from '@gatehouse/http';
import { route } from '../deps.ts';
import { filterSearch, SEARCH_MIN } from '../filter-search.ts';
import { readMoment } from '../read-moment.ts';
import { EndReasons, readEndReasons } from './read-end-reasons.ts';
import { readNetwork } from './read-network.ts';
import { invitationItem, SessionAnswer, sessionAnswer } from './session-answer.ts';

const Filter = Type.Object(
  {
    Status: Type.Optional(OneOf(SessionStatus)),
    UserId: Type.Optional(Uuid()),
    Search: Type.Optional(Text(100, { description: `At least ${SEARCH_MIN} characters` })),
    IsOnline: Type.Optional(Type.Boolean()),
    ContentDefinitionId: Type.Optional(Uuid()),
    IpAddress: Type.Optional(Text(50)),
    SsoProvider: Type.Optional(Text(32)),
    DeviceName: Type.Optional(Text(100)),
    EndReason: Type.Optional(EndReasons()),
    CreatedFrom: Type.Optional(Timestamp()),
    CreatedTo: Type.Optional(Timestamp()),
    EndedFrom: Type.Optional(Timestamp()),
    EndedTo: Type.Optional(Timestamp()),
    LastSeenBefore: Type.Optional(Timestamp()),
  },
  {
    title: 'SessionFilter',
    minProperties: 1,
    description: 'The same filters as for listing sessions; at least one is required',
  },
);

const Body = Type.Object(
  {
    SessionId: Type.Optional(Uuid()),
    SessionIds: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })),
    UserId: Type.Optional(Uuid()),
    Filter: Type.Optional(Filter),
    Status: OneOf(SessionStatus),
    Reason: Type.Optional(Text(200, { description: 'Recorded in the session history' })),
    DryRun: Type.Optional(
      Type.Boolean({ description: 'Return what the change would return, without making it' }),
    ),
  },
  { oneOfFields: [['SessionId'], ['SessionIds'], ['UserId'], ['Filter']] },
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
  handler: async ({ body, caller, deps, request, isConfirmed, refuse }) => {
    const target = targetOf(body);
    const changed = await changeSessions(
      deps,
      target,
      {
        status: body.Status,
        reason: body.Reason,
        by: actorOf(caller),
        isTrial: body.DryRun === true,
        isUnproven: !(await isConfirmed()),
      },
      request,
    );
    if (changed.kind === 'refused') throw refusal(refuse, changed.reason, target);
    request.addToLog({ changed: body.DryRun === true ? 0 : changed.ids.length });
    return {
      Items: [...changed.sessions.map(sessionAnswer), ...changed.invitations.map(invitationItem)],
      Count: changed.ids.length,
      UserCount: changed.accountCount,
      Ids: changed.ids,
    };
  },
});

/** The sessions to change: a mistyped or missing filter must never mean all of them. */
function targetOf({ SessionId, SessionIds, UserId, Filter: filter }: Static<typeof Body>): ChangeTarget {
  const given = [SessionId, SessionIds, UserId, filter].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw invalid(
      ['/SessionId', '/SessionIds', '/UserId', '/Filter'],
      'does_not_go_with',
      'exactly one of SessionId, SessionIds, UserId and Filter is required',
      'Exactly one of SessionId, SessionIds, UserId and Filter is required',
    );
  }
  if (SessionId !== undefined) return { kind: 'session', sessionId: SessionId };
  if (SessionIds !== undefined) return { kind: 'named', sessionIds: SessionIds };
  if (UserId !== undefined) return { kind: 'account', accountId: UserId };
  return { kind: 'filter', filter: filterOf(filter ?? {}) };
}

function filterOf(filter: Static<typeof Filter>) {
  return {
    status: filter.Status,
    accountId: filter.UserId,
    search: filterSearch(filter.Search),
    isOnline: filter.IsOnline,
    contentDefinitionId: filter.ContentDefinitionId,
    ipAddress: readNetwork(filter.IpAddress, '/Filter/IpAddress'),
    ssoProvider: filter.SsoProvider,
    deviceName: filter.DeviceName,
    endReasons: readEndReasons(filter.EndReason, '/Filter/EndReason'),
    createdFrom: readMoment(filter.CreatedFrom, '/Filter/CreatedFrom'),
    createdTo: readMoment(filter.CreatedTo, '/Filter/CreatedTo'),
    endedFrom: readMoment(filter.EndedFrom, '/Filter/EndedFrom'),
    endedTo: readMoment(filter.EndedTo, '/Filter/EndedTo'),
    lastSeenBefore: readMoment(filter.LastSeenBefore, '/Filter/LastSeenBefore'),
  };
}

function invalid(pointers: string[], code: FaultCode, message: string, detail?: string): ApiError {
  return invalidRequest(detail, {
    errors: pointers.map((pointer) => ({ pointer, message, code })),
  });
}

const HOUR_SECONDS = 3600;

function refusal(
  refuse: Refuse<'not_found' | 'conflict' | 'too_many_requests' | 'confirmation_required'>,
  reason: ChangeRefusal,
  target: ChangeTarget,
): ApiError {
  switch (reason) {
    case 'unknown':
      return refuse('not_found', `${target.kind === 'session' ? 'Session' : 'Account'} not found`);
    case 'too_old':
      return refuse('conflict', 'The absolute lifetime of the session is over; it cannot be reactivated');
    case 'revoked':
      return refuse(
        'conflict',
        'The session is permanently revoked: what it was opened with no longer opens the account, or its refresh token was copied',
      );
    case 'account_closed':
      return refuse('conflict', 'The account is disabled, expired or pending');
    case 'not_invited':
      return refuse('conflict', 'Status 6 applies only to invitations of a guest who has not registered');
    case 'inviter_gone':
      return refuse(
        'conflict',
        'The inviter is disabled or no longer exists; someone else must send a new invitation',
      );
    case 'too_many':
      return refuse('conflict', `More than ${CHANGED_MAX} sessions match; nothing was changed`);
    case 'unproven':
      return confirmationRequired(refuse);
    case 'share_used_up':
      return refuse('too_many_requests', 'Hourly limit of invitations to this email address reached', {
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}
