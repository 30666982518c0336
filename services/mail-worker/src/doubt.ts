/**
 * Bounds how many mails are in doubt at once: given to the mail server whole and not yet marked as sent. Just those
 * go out twice when this process is killed. So they go one at a time; but one that takes very long makes room for the
 * next, so that a mail server that is silent about one mail delays nobody else for long.
 */
export interface Doubt {
  /**
   * A mail's turn: `begin` waits for room before the content goes out, `end` gives the room back, always. A mail that
   * has to go out anew ends it and begins it again; a `begin` that still waited then never resolves.
   */
  newTurn(): Turn;
}

export interface Turn {
  begin(): Promise<void>;
  end(): void;
}

/** How long a mail keeps the next one waiting: so slow a mail server may be, and a kill repeats one mail at most. */
const ALONE_MS = 1000;

export function createDoubt(aloneMs = ALONE_MS): Doubt {
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
    newTurn: () => {
      let enter: (() => void) | undefined;
      let timer: NodeJS.Timeout | undefined;
      const makeRoom = (): void => {
        clearTimeout(timer);
        timer = undefined;
        admitNext();
      };
      const end = (): void => {
        if (enter !== undefined) waiting.delete(enter);
        if (timer !== undefined) makeRoom();
      };
      return {
        begin: () =>
          new Promise((resolve) => {
            end();
            enter = () => {
              timer = setTimeout(makeRoom, aloneMs);
              resolve();
            };
            waiting.add(enter);
            if (!isTaken) admitNext();
          }),
        end,
      };
    },
  };
}
