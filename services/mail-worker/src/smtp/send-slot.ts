/**
 * Limits how many mails are in doubt at once: mails that were handed to the mail server completely but are not yet
 * marked as sent. Exactly these are sent twice if this process is killed. So they are sent one at a time. But after a
 * while a slow mail lets the next one start, so that a missing reply to one mail does not delay the others for long.
 */
export interface SendSlots {
  /**
   * The slot of one mail. `acquire` waits for room before the content is sent; `release` must always be called to free
   * it. To send a mail again, release the slot and acquire it again. An `acquire` that was still waiting then never
   * resolves.
   */
  newSlot(): SendSlot;
}

export interface SendSlot {
  acquire(): Promise<void>;
  release(): void;
}

/**
 * How long a mail makes the next one wait. If the mail server replies within this time, a kill repeats at most one
 * mail.
 */
const ALONE_MS = 1000;

export function createSendSlots(aloneMs = ALONE_MS): SendSlots {
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
    newSlot: () => {
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
