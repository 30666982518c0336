import { atMost } from './deadline.ts';
import type { Log } from './log/log.ts';
import { startWakeableLoop } from './wakeable-loop.ts';

export interface DueTable<Job extends { id: string }> {
  /**
   * Claims up to `limit` rows that are due, so that no other worker takes them within `holdSeconds`. `takesOver`: also
   * those whose worker has not extended its hold, except those in `own`.
   */
  claim(options: {
    limit: number;
    holdSeconds: number;
    takesOver: boolean;
    own: readonly string[];
  }): Promise<Job[]>;
  extend(jobs: readonly Job[], holdSeconds: number): Promise<void>;
}

/** How long a row stays reserved for a worker that has died. A running worker extends the reservation in time. */
const HOLD_SECONDS = 6;
const POLL_MS = 1000;
const DRAIN_MS = 8000;
/** After so long without Postgres, holds may have ended although their workers live: they are extended every 2 s. */
const GAP_MS = 4000;
/** The time for these workers to extend their holds, and to mark what they have done. */
const GRACE_MS = 3000;

export type DueWork = ReturnType<typeof startDueWork>;

/**
 * Starts to carry out what is due in a table, in any number of processes at once. At most `atOnce` rows are in progress; they are claimed in batches, once there is room
 * for `roomMin`. While `isPaused`, only one batch a second is tried. `claimsPart`: a claim may leave rows although there is
 * room, so another follows as soon as one is finished. `things` names the rows in the log.
 */
export function startDueWork<Job extends { id: string }>(options: {
  table: DueTable<Job>;
  carryOut: (job: Job) => Promise<void>;
  atOnce: number;
  roomMin: number;
  things: string;
  log: Log;
  isPaused?: () => boolean;
  claimsPart?: boolean;
}) {
  const { table, atOnce, roomMin, things, log, isPaused = () => false, claimsPart = false } = options;
  const contact = createContact();
  let isMoreDue = false;
  let isDownKnown = false;
  const inProgress = createInProgress(options, () => {
    if (isMoreDue && !isPaused() && room() >= roomMin) loop.wake();
  });
  const room = (): number => atOnce - inProgress.jobs().length;

  const beginBatch = async (limit: number): Promise<void> => {
    const jobs = await table.claim({
      limit,
      holdSeconds: HOLD_SECONDS,
      takesOver: contact.isSteady(),
      own: inProgress.jobs().map(({ id }) => id),
    });
    contact.confirm();
    isMoreDue = jobs.length === limit || claimsPart;
    for (const job of jobs) inProgress.begin(job);
  };
  const loop = startWakeableLoop(POLL_MS, async () => {
    try {
      if (room() >= roomMin) await beginBatch(room());
      else isMoreDue = true;
      isDownKnown = false;
    } catch (error) {
      if (!isDownKnown) log.warn('failed to read what is due, retrying', { things, error });
      isDownKnown = true;
    }
    return false;
  });

  return {
    /** Call this when something has become due, so that it is done now instead of within a second. */
    wake: () => loop.wake(),

    /** Extends the holds of what is in progress. Must be called every two seconds, well within `HOLD_SECONDS`. */
    extendHolds: async (): Promise<void> => {
      if (inProgress.jobs().length === 0) return;
      await table.extend(inProgress.jobs(), HOLD_SECONDS);
      contact.confirm();
    },

    /** Claims no more, and waits up to 8 s for what is in progress. */
    close: async (): Promise<void> => {
      await loop.stop();
      await inProgress.drain();
    },
  };
}

/** What is in progress; `onEnd` is called after each. */
function createInProgress<Job extends { id: string }>(
  { carryOut, log, things }: { carryOut: (job: Job) => Promise<void>; log: Log; things: string },
  onEnd: () => void,
) {
  const works = new Map<Job, Promise<void>>();
  return {
    jobs: () => [...works.keys()],
    begin: (job: Job): void => {
      const work = carryOut(job)
        .catch((error: unknown) =>
          log.warn('failed to handle what was due, retrying', { things, id: job.id, error }),
        )
        .finally(() => {
          works.delete(job);
          onEnd();
        });
      works.set(job, work);
    },
    drain: async (): Promise<void> => {
      await atMost(DRAIN_MS, Promise.all(works.values()));
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

const RECORD_AGAIN_MS = 500;
const RECORD_AGAIN_MAX = 600;

/** Until the result is recorded: while Postgres is down, no other worker can take the row and repeat the work. */
export async function recordUntilDone(record: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await record();
    } catch (error) {
      if (tries >= RECORD_AGAIN_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS));
    }
  }
}
