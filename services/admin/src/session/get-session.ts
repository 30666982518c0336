import { withCurrentState } from '@gatehouse/accounts';
import { Integers, Nullable, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { sessionAdmin } from '@gatehouse/db';
import { route } from '../deps.ts';
import { sessionAnswer, SessionAnswer, SessionPath } from './session-answer.ts';

/** A session changes a few times in its life; a longer history is truncated. */
const HISTORY_MAX = 500;

const HistoryLine = Type.Object(
  {
    Status: Integers(SessionStatus, 'SessionStatus'),
    ChangedAt: Timestamp(),
    ChangedBy: Nullable(Uuid(), {
      description: 'The account that made the change (the owner or an administrator); null for the system',
    }),
    Reason: Type.String(),
  },
  { title: 'SessionHistoryEntry' },
);

export const getSession = route({
  method: 'get',
  path: '/admin/user-session/:id',
  operationId: 'getSession',
  tag: 'Sessions',
  summary: 'Get a session with its history',
  description: `Ended sessions are kept. \`History\` contains the last ${HISTORY_MAX} changes, oldest first.`,
  access: ['Admin'],
  params: SessionPath,
  response: Type.Object({ ...SessionAnswer.properties, History: Type.Array(HistoryLine) }),
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const [session] = await withCurrentState(deps, await sessionAdmin.findByIds(deps.db, [params.id]));
    if (session === undefined) throw refuse('not_found', 'Session not found');
    const history = await sessionAdmin.findHistory(deps.db, session.id, HISTORY_MAX);
    return {
      ...sessionAnswer(session),
      History: history.map((line) => ({
        // The table's check constraint allows only these numbers.
        Status: line.status as SessionStatus,
        ChangedAt: line.changedAt.toISOString(),
        ChangedBy: line.changedBy,
        Reason: line.reason,
      })),
    };
  },
});
