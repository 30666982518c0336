import { endOfCredential, type Caller } from '@gatehouse/auth-core';
import { sessionEvents, type EventPosition, type SessionChange } from '@gatehouse/db';
import { StreamWriter } from '@gatehouse/http';
import { isActive, type SessionStatus } from '@gatehouse/schema';
import type { Deps } from '../deps.ts';
import { cursorOf, itemOf } from './session-change.ts';
import { WaitingNews, type News } from './waiting-news.ts';

interface Options {
  caller: Caller;
  /** The last position that the client has seen; without it the stream starts with new changes. */
  from: EventPosition | undefined;
  endedOnly: boolean;
  isStillAdmitted: () => Promise<boolean>;
}

const BEAT_MS = 20_000;
const GRACE_MS = 5000;
const PAGE_MAX = 200;

/** Sends the changes that a client has missed, then those that the feed delivered meanwhile, then new ones. */
export function openChangesStream(
  { db, sessionFeed, now, log }: Pick<Deps, 'db' | 'sessionFeed' | 'now' | 'log'>,
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
