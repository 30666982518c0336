/** How long a mail makes the next one wait. If the mail server replies within this time, a kill repeats at most one mail. */
const ALONE_MS = 1000;

/** The slot of one mail. To send it again, release the slot and acquire it again. */
export interface SendSlot {
  /** Waits for room before the content is sent. If it still waits at the release, it never resolves. */
  acquire(): Promise<void>;
  /** Must always be called. */
  release(): void;
}

/**
 * Limits how many mails are in doubt at once: mails that were handed to the mail server completely but are not yet
 * marked as sent. Exactly these are sent twice if this process is killed. So they are sent one at a time. But after a
 * while a slow mail lets the next one start, so that a missing reply to one mail does not delay the others for long.
 */
export function createSendSlots(aloneMs = ALONE_MS) {
  const waiting = new Set<() => void>();
  let isTaken = false;

  const admitNext = (): void => {
    const [enter] = waiting;
    isTaken = enter !== undefined;
    if (enter === undefined) return;
    waiting.delete(enter);
    enter();
  };

  return {
    newSlot: (): SendSlot => {
      let enter: (() => void) | undefined;
      let timer: NodeJS.Timeout | undefined;
      const makeRoom = (): void => {
        clearTimeout(timer);
        timer = undefined;
        admitNext();
      };
      const release = (): void => {
        if (enter !== undefined) waiting.delete(enter);
        if (timer !== undefined) makeRoom();
      };
      return {
        acquire: () =>
          new Promise((resolve) => {
            release();
            enter = () => {
              timer = setTimeout(makeRoom, aloneMs);
              resolve();
            };
            waiting.add(enter);
            if (!isTaken) admitNext();
          }),
        release,
      };
    },
  };
}
