import { eventStream } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { openChangesStream } from './changes-stream.ts';
import { readPosition } from './session-change.ts';

export const streamSessionChanges = route({
  method: 'get',
  path: '/session-event/stream',
  operationId: 'streamSessionChanges',
  tag: 'Sessions',
  summary: 'Follow session changes',
  description:
    'Server-sent events: `ended` when a session ends, `active` when one becomes active or changes without ' +
    'ending, each with an item of `GET /session-event`. The `id` of the stream is a `NextCursor`: a ' +
    'client that reconnects with it in `Last-Event-ID` misses no change, and may see some twice. At most ' +
    '100 streams per token in each process.',
  access: ['Feed', 'Service', 'Admin'],
  headers: {
    request: { 'Last-Event-ID': 'The last `id` received, or a `NextCursor` of `GET /session-event`' },
  },
  query: Type.Object({
    ended: Type.Boolean({ default: false, description: 'Whether to send only ended sessions' }),
  }),
  response: eventStream(),
  handler: ({ caller, query: { ended }, deps, request, isStillAdmitted }) => {
    const header = request.headers['last-event-id'];
    const from = readPosition(typeof header === 'string' && header !== '' ? header : undefined);
    return openChangesStream(deps, { caller, from, endedOnly: ended, isStillAdmitted });
  },
});
