/**
 * Bounds how many mails are in doubt at once: given to the mail server whole and not yet marked as sent. Just those
 * go out twice when this process is killed. While the way through is short, they go one at a time; each that takes
 * longer makes room for the next, so that a mail server that is slow, or silent about one mail, delays nobody else.
 */
export interface Doubt {
  /** A mail's turn: `begin` waits for room before the content goes out, `end` gives the room back, always. */
  newTurn(): Turn;
}

export interface Turn {
  begin(): Promise<void>;
  end(): void;
}

/** How long a mail keeps the next one waiting. */
const ALONE_MS = 50;

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
      return {
        begin: () =>
          new Promise((resolve) => {
            enter = () => {
              timer = setTimeout(makeRoom, aloneMs);
              resolve();
            };
            waiting.add(enter);
            if (!isTaken) admitNext();
          }),
        end: () => {
          if (enter !== undefined) waiting.delete(enter);
          if (timer !== undefined) makeRoom();
        },
      };
    },
  };
}
