import { setTimeout as pause } from 'node:timers/promises';
import { openEvents, type EventStream } from '@gatehouse/http/testing';

/** A client of `GET /session-event/stream` that always reconnects with the last id. */
export interface FeedFollower {
  /** The ids of ended sessions. */
  ended: Set<string>;
  /** The number of reconnections. */
  returns: number;
  stop(): Promise<void>;
}

/** Follows the feed. Resolves when the stream has sent its first id. */
export async function followFeed(baseUrl: string, token: string): Promise<FeedFollower> {
  const follower = { ended: new Set<string>(), returns: -1 };
  let isStopped = false;
  let stream: EventStream | undefined;
  let lastId: string | undefined;
  const follow = async (): Promise<void> => {
    while (!isStopped) {
      follower.returns += 1;
      stream = await openEvents(`${baseUrl}/session-event/stream?ended=true`, {
        authorization: `Bearer ${token}`,
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      }).catch(() => undefined);
      while (stream !== undefined && !stream.isOver && !isStopped) {
        await pause(20);
        take(stream);
      }
      if (stream !== undefined) take(stream);
      await pause(100);
    }
  };
  const take = ({ events, lastId: id }: EventStream): void => {
    for (const { data } of events) follower.ended.add(String(data['SessionId']));
    lastId = id ?? lastId;
  };
  const following = follow();
  while (lastId === undefined) await pause(20);
  return Object.assign(follower, {
    stop: async () => {
      isStopped = true;
      stream?.close();
      await following;
    },
  });
}
