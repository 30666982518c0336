import { sessionEvents } from '@gatehouse/db';
import { pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { cursorOf, itemOf, readPosition, SessionChangeItem } from './session-change.ts';

export const listSessionChanges = route({
  method: 'get',
  path: '/session-event',
  operationId: 'listSessionChanges',
  tag: 'Sessions',
  summary: 'List session changes',
  description:
    'For services that check access tokens by themselves: all changes of all sessions, oldest first, in a ' +
    'stable order. `NextCursor` is always present: a client that continues from the last one misses no ' +
    'change and sees none twice. The last change listed for a session is its latest.',
  access: ['Feed', 'Service', 'Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ended: Type.Boolean({
      default: false,
      description:
        'Whether to list only sessions that are still ended; without a cursor, the list begins with those whose ' +
        'access tokens may not have expired yet',
    }),
  }),
  response: Type.Object({
    Items: Type.Array(SessionChangeItem),
    NextCursor: Type.String({ description: 'Cursor for the next request; present on the last page, too' }),
  }),
  handler: async ({ query: { cursor, limit, ended }, caller, deps }) => {
    const position = readPosition(cursor) ?? (await beginningOf(deps, ended));
    const read = { max: limit, standingEnds: ended };
    const { changes, next } = await sessionEvents.findChanges(deps.db, position, read);
    return { Items: changes.map((change) => itemOf(change, caller)), NextCursor: cursorOf(next) };
  },
});

/** Tokens of sessions that ended earlier have expired. */
async function beginningOf({ db, settings }: Pick<Deps, 'db' | 'settings'>, ended: boolean) {
  return ended
    ? sessionEvents.findPositionOfLast(db, settings.ACCESS_TOKEN_SECONDS)
    : sessionEvents.BEGINNING;
}
