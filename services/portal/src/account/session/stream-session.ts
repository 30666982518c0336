import { endOfCredential } from '@gatehouse/auth-core';
import { eventStream, StreamWriter, replacedByOf } from '@gatehouse/http';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import type { WatchedStatus } from './session-watch.ts';

export const streamSession = route('GET /account/session/stream', {
  operationId: 'streamSession',
  tag: 'Sessions',
  summary: 'Follow the status of your session',
  description:
    'Server-sent events: `status` is sent immediately and whenever the status changes, with `PingStatus`, ' +
    '`At` and, if the session has ended, `Reason` (an error code) and `ReplacedBy`. The stream ends with ' +
    'the session, and 5 seconds after the access token expires. At most 5 streams per session, and 100 ' +
    'per account, in each process.',
  access: 'session',
  query: Type.Object({
    presence: Type.Boolean({
      default: false,
      description: 'Whether the open stream counts as a ping: it keeps the session alive and the user online',
    }),
    contentDefinitionId: Type.Optional(Uuid()),
  }),
  response: eventStream(),
  handler: ({ caller, query: { presence, contentDefinitionId }, deps }) => {
    const endsAt = endOfCredential(caller);
    const writer = new StreamWriter(() => stop());
    const stop = deps.sessionWatch.watch({
      accountId: caller.accountId,
      sessionId: caller.sessionId,
      expiresAt: endsAt === undefined ? undefined : endsAt * 1000,
      presence: presence ? { contentDefinitionId } : undefined,
      // If a slow client has not read the previous status, only the new one is still valid.
      onStatus: (status) => writer.replace(eventOf(status, deps.now())),
      onBeat: () => {
        if (writer.waiting === '') writer.put(':\n\n');
      },
      onEnd: () => writer.end(),
    });
    return writer;
  },
});

function eventOf({ status, reason, replacedBy }: WatchedStatus, now: number): string {
  const ReplacedBy = replacedByOf(replacedBy);
  const data = {
    PingStatus: status,
    ...(reason !== undefined && { Reason: reason }),
    ...(ReplacedBy !== undefined && { ReplacedBy }),
    At: new Date(now).toISOString(),
  };
  return `event: status\ndata: ${JSON.stringify(data)}\n\n`;
}
