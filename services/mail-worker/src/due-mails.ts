import { mailDeliveries, type Db, type DueMail } from '@gatehouse/db';
import { startWakeableLoop, type Log } from '@gatehouse/runtime';

/** Sends the mails that are due. */
export interface DueMails {
  /** Call this when a mail has become due, so that it is sent now instead of within a second. */
  wake(): void;
  /** Extends the reservation of mails in progress. Must be called every few seconds, well within `HOLD_SECONDS`. */
  extendHolds(): Promise<void>;
  /** Claims no more mails, and waits up to 8 s for those in progress. */
  close(): Promise<void>;
}

/** How long a mail stays reserved for a worker that has died. A running worker extends the reservation in time. */
const HOLD_SECONDS = 6;
/** The number of mails that a mail server that takes a second for each can accept well within half a minute. */
const AT_ONCE_MAX = 20;
/** Mails are claimed in batches. Until there is room for one, enough are in progress for all connections. */
const ROOM_MIN = 10;
const POLL_MS = 1000;
const DRAIN_MS = 8000;
/**
 * After such a time without Postgres, holds may have ended although their workers are alive: they are extended every two
 * seconds.
 */
const GAP_MS = 4000;
/** The time for these workers to extend their holds, and to mark mails as sent. */
const GRACE_MS = 3000;

/**
 * Starts to send due mails, in any number of processes at once. `isServerUp`: while the mail server is not, only one batch
 * a second is tried.
 */
export function startDueMails(options: {
  db: Db;
  log: Log;
  deliver: (mail: DueMail) => Promise<void>;
  isServerUp: () => boolean;
}): DueMails {
  const { db, log, isServerUp } = options;
  const contact = createContact();
  let isMoreDue = false;
  let isDownKnown = false;
  const inProgress = createInProgress(options, () => {
    if (isMoreDue && isServerUp() && inProgress.room() >= ROOM_MIN) loop.wake();
  });

  const sendBatch = async (limit: number): Promise<void> => {
    const mails = await mailDeliveries.claimDue(db, {
      limit,
      holdSeconds: HOLD_SECONDS,
      takesOver: contact.isSteady(),
      own: inProgress.mails().map(({ id }) => id),
    });
    contact.confirm();
    isMoreDue = mails.length === limit;
    for (const mail of mails) inProgress.begin(mail);
  };
  const loop = startWakeableLoop(POLL_MS, async () => {
    try {
      if (inProgress.room() >= ROOM_MIN) await sendBatch(inProgress.room());
      else isMoreDue = true;
      isDownKnown = false;
    } catch (error) {
      if (!isDownKnown) log.warn('failed to read due emails, retrying', { error });
      isDownKnown = true;
    }
    return false;
  });

  return {
    wake: () => loop.wake(),
    extendHolds: async () => {
      if (inProgress.mails().length === 0) return;
      await mailDeliveries.extendClaims(db, inProgress.mails(), HOLD_SECONDS);
      contact.confirm();
    },
    close: async () => {
      await loop.stop();
      await inProgress.drain();
    },
  };
}

/** The mails in progress; `onEnd` is called after each. */
function createInProgress(
  { deliver, log }: { deliver: (mail: DueMail) => Promise<void>; log: Log },
  onEnd: () => void,
) {
  const works = new Map<DueMail, Promise<void>>();
  return {
    mails: () => [...works.keys()],
    room: () => AT_ONCE_MAX - works.size,
    begin: (mail: DueMail): void => {
      const work = deliver(mail)
        .catch((error: unknown) =>
          log.warn('failed to deliver an email, retrying', { eventId: mail.id, error }),
        )
        .finally(() => {
          works.delete(mail);
          onEnd();
        });
      works.set(mail, work);
    },
    drain: async (): Promise<void> => {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS);
      });
      await Promise.race([Promise.all(works.values()), timeout]);
      clearTimeout(timer);
    },
  };
}

/** Knows whether Postgres has answered without gaps, so that a hold that has ended is that of a dead worker. */
function createContact() {
  let lastAt = -Infinity;
  let steadyAt = Infinity;
  return {
    isSteady: (): boolean => performance.now() - lastAt <= GAP_MS && performance.now() >= steadyAt,
    confirm: (): void => {
      const now = performance.now();
      if (now - lastAt > GAP_MS) steadyAt = now + GRACE_MS;
      lastAt = now;
    },
  };
}
