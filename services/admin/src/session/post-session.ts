import {
  actorOf,
  CHANGED_MAX,
  changeSessions,
  SHOWN_MAX,
  type ChangeRefusal,
  type ChangeTarget,
} from '@gatehouse/accounts';
import { type FaultCode, OneOf, SessionStatus, type Static, Text, Type, Uuid } from '@gatehouse/schema';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { invitationItem, SessionAnswer, sessionAnswer } from './session-answer.ts';

/** What fits nearly everybody is no choice. */
const SEARCH_MIN = 3;

const Filter = Type.Object(
  {
    Status: Type.Optional(OneOf(SessionStatus)),
    UserId: Type.Optional(Uuid()),
    Search: Type.Optional(Text(100, { description: `At least ${SEARCH_MIN} characters` })),
    IsOnline: Type.Optional(Type.Boolean()),
    ContentDefinitionId: Type.Optional(Uuid()),
  },
  { minProperties: 1, description: 'The filters of the list, one of them at least' },
);

const Body = Type.Object(
  {
    SessionId: Type.Optional(Uuid()),
    UserId: Type.Optional(Uuid()),
    Filter: Type.Optional(Filter),
    Status: OneOf(SessionStatus),
    Reason: Type.Optional(Text(200, { description: 'For the history' })),
    DryRun: Type.Optional(Type.Boolean({ description: 'Answers as the change would, and changes nothing' })),
  },
  { oneOfFields: [['SessionId'], ['UserId'], ['Filter']] },
);

export const postSession = route({
  method: 'post',
  path: '/admin/user-session',
  operationId: 'changeSessionStatus',
  tag: 'Sessions',
  summary: 'Change the status of sessions, or of a guest’s invitations',
  description: `Give just one of \`SessionId\`, \`UserId\` and \`Filter\`. All that are meant are changed or none, and the next ping and the next request of each see it. \`Items\` are the newest ${SHOWN_MAX} as they stand then, \`Count\` is all of them.

Statuses 1, 2 and 5 are active, 3, 4, 7 and 8 end a session. \`SessionId\` names any session: an active one changes or ends; one that ended gets another status (its \`EndedAt\` stays), or an active one again. It then counts as seen now, and under single-session enforcement every other session of its account becomes \`SessionReplaced\`; 409 when its absolute lifetime is over, or when the account is disabled, expired or pending. \`UserId\` and \`Filter\` name active sessions; a \`Filter\` with a \`Status\` of 3, 4, 7 or 8 names those that ended as that. They get another status, or are active again where they may be: under single-session enforcement the newest that fits of each account; the others stay as they ended and are not counted. No session has status 6. More than ${CHANGED_MAX} sessions at once are 409: narrow the filter.

Statuses 6 and 8 apply to invitations where \`UserId\` is that of a guest who has not registered yet: 8 deletes the pending ones (a guest without content is expired or removed, \`GUEST_WITHOUT_CONTENT\`), 6 restores the deleted ones and mails each anew; older links are void. An item is an invitation then: \`Id\` is its id, \`CreatedAt\` when it was sent, \`EndedAt\` when it was deleted. 6 on anything else is 409.`,
  access: ['Admin'],
  body: Body,
  response: Type.Object({ Items: Type.Array(SessionAnswer), Count: Type.Integer({ minimum: 0 }) }),
  errors: ['not_found', 'conflict', 'too_many_requests'],
  handler: async ({ body, caller, deps, request }) => {
    const target = targetOf(body);
    const changed = await changeSessions(
      deps,
      target,
      { status: body.Status, reason: body.Reason, by: actorOf(caller), isTrial: body.DryRun === true },
      request,
    );
    if ('refused' in changed) throw refusal(changed.refused, target);
    request.note({ changed: body.DryRun === true ? 0 : changed.count });
    return {
      Items: [...changed.sessions.map(sessionAnswer), ...changed.invitations.map(invitationItem)],
      Count: changed.count,
    };
  },
});

/** Whom the change is meant for: never everybody, whatever was mistyped or left out. */
function targetOf({ SessionId, UserId, Filter: filter }: Static<typeof Body>): ChangeTarget {
  const given = [SessionId, UserId, filter].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw invalid(
      ['/SessionId', '/UserId', '/Filter'],
      'does_not_go_with',
      'give just one of SessionId, UserId and Filter',
      'Just one of SessionId, UserId and Filter is needed',
    );
  }
  if (SessionId !== undefined) return { sessionId: SessionId };
  if (UserId !== undefined) return { accountId: UserId };
  return { filter: filterOf(filter ?? {}) };
}

function filterOf(filter: Static<typeof Filter>) {
  const search = filter.Search?.trim();
  if (search !== undefined && search.length < SEARCH_MIN) {
    throw invalid(['/Filter/Search'], 'too_short', `must have ${SEARCH_MIN} characters or more`);
  }
  return {
    status: filter.Status,
    accountId: filter.UserId,
    search,
    isOnline: filter.IsOnline,
    contentDefinitionId: filter.ContentDefinitionId?.toLowerCase(),
  };
}

function invalid(pointers: string[], code: FaultCode, message: string, detail?: string): ApiError {
  return new ApiError('invalid_request', detail, {
    errors: pointers.map((pointer) => ({ pointer, message, code })),
  });
}

const HOUR_SECONDS = 3600;

function refusal(reason: ChangeRefusal, target: ChangeTarget): ApiError {
  switch (reason) {
    case 'unknown':
      return new ApiError('not_found', `There is no such ${'sessionId' in target ? 'session' : 'account'}`);
    case 'too_old':
      return new ApiError('conflict', 'The session has reached its greatest age and cannot be active again');
    case 'revoked':
      return new ApiError(
        'conflict',
        'The session is revoked for good: its account has a new password, or its refresh token was copied',
      );
    case 'account_closed':
      return new ApiError('conflict', 'The account is disabled, expired or pending');
    case 'not_invited':
      return new ApiError(
        'conflict',
        'Only the invitations of a guest who has not registered can be pending',
      );
    case 'inviter_gone':
      return new ApiError('conflict', 'Who invited is disabled or gone; somebody else has to invite anew');
    case 'too_many':
      return new ApiError('conflict', `These are more than ${CHANGED_MAX} sessions; nothing was changed`);
    case 'share_used_up':
      return new ApiError('too_many_requests', 'This address has had its invitations of the hour', {
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}
