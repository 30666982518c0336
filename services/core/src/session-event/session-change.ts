import type { FeedListener } from '@gatehouse/accounts';
import { endOfCredential, type Caller } from '@gatehouse/auth-core';
import { sessionEvents, type EventPosition, type SessionChange } from '@gatehouse/db';
import { createPaging, eventStream, pagingQuery, StreamWriter } from '@gatehouse/http';
import { Integers, isActive, SessionStatus, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Sessions', access: ['Feed', 'Service', 'Admin'] });

/** 64-bit numbers of Postgres, which JSON numbers cannot represent. */
const Digits = Type.String({ pattern: /^[0-9]{1,19}$/.source });
const paging = createPaging(Type.Object({ Transaction: Digits, Sequence: Digits }));

/** A change of a session's status, for services that verify tokens themselves; administrators also get the user. */
const SessionChangeItem = Type.Object(
  {
    SessionId: Type.String({
      format: 'uuid',
      description: 'The session, or an application’s part of one (`client_session`)',
    }),
    UserId: Type.Optional(Uuid()),
    Status: Integers(SessionStatus, 'SessionStatus'),
    TokenExpiresAt: Type.String({
      format: 'date-time',
      description: 'Latest expiry of access tokens issued for the session before the change',
    }),
    ChangedAt: Timestamp(),
  },
  { title: 'SessionChange' },
);

function itemOf(change: SessionChange, { role }: Pick<Caller, 'role'>): Static<typeof SessionChangeItem> {
  return {
    SessionId: change.sessionId,
    ...(role === 'Admin' && { UserId: change.accountId }),
    // The table's check constraint allows only these numbers.
    Status: change.status as SessionStatus,
    TokenExpiresAt: change.tokenExpiresAt.toISOString(),
    ChangedAt: change.changedAt.toISOString(),
  };
}

/** @throws {ApiError} 400 for anything that is not a cursor. */
function readPosition(cursor: string | undefined): EventPosition | undefined {
  const key = paging.read(cursor);
  return key && { xact: key.Transaction, seq: key.Sequence };
}

function cursorOf({ xact, seq }: EventPosition): string {
  return paging.cursor({ Transaction: xact, Sequence: seq });
}

export const listSessionChanges = route('GET /session-event', {
  operationId: 'listSessionChanges',
  summary: 'List session changes',
  description:
    'For services that check access tokens by themselves: all changes of all sessions, oldest first, in a ' +
    'stable order. `NextCursor` is always present: a client that continues from the last one misses no ' +
    'change and sees none twice. The last change listed for a session is its latest.',
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
    const { db, settings } = deps;
    // Tokens of sessions that ended earlier have expired.
    const recent = () => sessionEvents.findPositionOfLast(db, settings.ACCESS_TOKEN_SECONDS);
    const position = readPosition(cursor) ?? (ended ? await recent() : sessionEvents.BEGINNING);
    const read = { max: limit, standingEnds: ended };
    const { changes, next } = await sessionEvents.findChanges(db, position, read);
    return { Items: changes.map((change) => itemOf(change, caller)), NextCursor: cursorOf(next) };
  },
});

export const streamSessionChanges = route('GET /session-event/stream', {
  operationId: 'streamSessionChanges',
  summary: 'Follow session changes',
  description:
    'Server-sent events: `ended` when a session ends, `active` when one becomes active or changes without ' +
    'ending, each with an item of `GET /session-event`. The `id` of the stream is a `NextCursor`: a ' +
    'client that reconnects with it in `Last-Event-ID` misses no change, and may see some twice. At most ' +
    '100 streams per token in each process.',
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

type News = Parameters<FeedListener>;

/** News arrive every half second: a client that is this far behind has been so for minutes. */
const NEWS_MAX = 1000;
const CHANGES_MAX = 50_000;

class WaitingNews {
  readonly #news: News[] = [];
  #changes = 0;

  /** Returns false if the client is too far behind; it should then reconnect. */
  put(news: News): boolean {
    this.#news.push(news);
    this.#changes += news[0].length;
    return this.#news.length <= NEWS_MAX && this.#changes <= CHANGES_MAX;
  }

  take(): News | undefined {
    const news = this.#news.shift();
    this.#changes -= news?.[0].length ?? 0;
    return news;
  }
}

const BEAT_MS = 20_000;
const GRACE_MS = 5000;
const PAGE_MAX = 200;

interface Options {
  caller: Caller;
  /** The last position that the client has seen; without it the stream starts with new changes. */
  from: EventPosition | undefined;
  endedOnly: boolean;
  isStillAdmitted: () => Promise<boolean>;
}

/** Sends the changes that a client has missed, then those that the feed delivered meanwhile, then new ones. */
function openChangesStream(
  { db, sessionFeed, now, log }: Deps,
  { caller, from, endedOnly, isStillAdmitted }: Options,
): StreamWriter {
  const waiting = new WaitingNews();
  let isWorking = false;
  let missedFrom = from;
  let sent: EventPosition | undefined;
  /** The last sent change that an older transaction may still precede. */
  let owed: EventPosition | undefined;
  let unfollow = (): void => {};
  const writer = new StreamWriter(() => {
    unfollow();
    clearInterval(beats);
  });

  const send = async ([changes, settled]: News): Promise<void> => {
    const isNow = sent === undefined;
    const events = changes
      .filter((change) => (sent === undefined || !isUpTo(change, sent)) && !(endedOnly && isStanding(change)))
      .map((change) => eventOf(change, caller));
    const rest = await putSlices(writer, events, isStillAdmitted);
    if (sent === undefined || !isUpTo(settled, sent)) sent = settled;
    const isPaid = owed !== undefined && isUpTo(owed, sent);
    if (isPaid) owed = undefined;
    // Changes arrive in order, except those that were committed late.
    const last = changes.at(-1);
    if (last !== undefined && !isUpTo(last, owed ?? settled)) owed = last;
    if (rest.length > 0 && !(await isStillAdmitted())) return writer.cut();
    // Unsettled changes have no id: a client that reconnects before they are settled gets them again.
    writer.put(rest.join('') + (isNow || isPaid || rest.length > 0 ? idOf(sent) : ''));
  };
  const catchUp = async (): Promise<void> => {
    while (missedFrom !== undefined && writer.isOpen) {
      const read = { max: PAGE_MAX, standingEnds: false };
      const { changes, next } = await sessionEvents.findChanges(db, missedFrom, read);
      await send([changes, next]);
      missedFrom = changes.length < PAGE_MAX ? undefined : next;
      await writer.drained();
    }
  };
  const work = async (): Promise<void> => {
    isWorking = true;
    await catchUp();
    for (let news = waiting.take(); news !== undefined; news = waiting.take()) await send(news);
    isWorking = false;
  };
  const fail = (error: unknown): void => {
    log.warn('a session stream failed', { error });
    writer.cut();
  };
  const beat = async (): Promise<void> => {
    const endsAt = caller.kind === 'session' ? endOfCredential(caller) : undefined;
    const isExpired = endsAt !== undefined && now() > endsAt * 1000 + GRACE_MS;
    if (isExpired || !(await isStillAdmitted())) writer.cut();
    else if (writer.waiting === '') writer.put(sent === undefined ? ':\n\n' : `:\n${idOf(sent)}`);
  };

  // Sends nothing if the caller's access cannot be checked; the next beat tries again.
  const beats = setInterval(() => void beat().catch(() => {}), BEAT_MS);
  unfollow = sessionFeed.follow((...news) => {
    if (!waiting.put(news)) writer.cut();
    else if (!isWorking) work().catch(fail);
  });
  return writer;
}

/** Sends all but the last slice one by one, so that a client is not disconnected because of one large batch. */
async function putSlices(
  writer: StreamWriter,
  events: readonly string[],
  isStillAdmitted: () => Promise<boolean>,
): Promise<readonly string[]> {
  let at = 0;
  for (; events.length - at > PAGE_MAX && writer.isOpen; at += PAGE_MAX) {
    if (await isStillAdmitted()) writer.put(events.slice(at, at + PAGE_MAX).join(''));
    else writer.cut();
    await writer.drained();
  }
  return events.slice(at);
}

function eventOf(change: SessionChange, caller: Caller): string {
  const name = isStanding(change) ? 'active' : 'ended';
  return `event: ${name}\ndata: ${JSON.stringify(itemOf(change, caller))}\n\n`;
}

/** An id without data is not an event: clients only store it (HTML, section "Server-sent events"). */
function idOf(position: EventPosition): string {
  return `id: ${cursorOf(position)}\n\n`;
}

function isStanding({ status }: SessionChange): boolean {
  return isActive(status as SessionStatus); // The table's check constraint allows only these numbers.
}

/** Whether a position is not after another. */
function isUpTo(one: EventPosition, other: EventPosition): boolean {
  const [a, b] = [BigInt(one.xact), BigInt(other.xact)];
  return a < b || (a === b && BigInt(one.seq) <= BigInt(other.seq));
}
