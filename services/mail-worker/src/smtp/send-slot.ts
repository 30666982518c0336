/**
 * Bounds how many mails are in doubt at once: given to the mail server whole and not yet marked as sent. Just those
 * go out twice when this process is killed. So they go one at a time; but one that takes very long makes room for the
 * next, so that a mail server that is silent about one mail delays nobody else for long.
 */
export interface SendSlots {
  /**
   * A mail's slot: `acquire` waits for room before the content goes out, `release` gives the room back, always. A
   * mail that has to go out again releases it and acquires it again; an `acquire` that still waited then never resolves.
   */
  newSlot(): SendSlot;
}

export interface SendSlot {
  acquire(): Promise<void>;
  release(): void;
}

/** How long a mail keeps the next one waiting: so slow a mail server may be, and a kill repeats one mail at most. */
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
