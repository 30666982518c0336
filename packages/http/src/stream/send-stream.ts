import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Place } from './open-streams.ts';

/**
 * Sends what a source yields, as fast as the client takes it, until the source ends or the client is gone. When the
 * process stops, each client is told to reconnect after a random 1 to 10 seconds.
 */
export function sendStream(
  response: ServerResponse,
  source: AsyncIterator<string, undefined>,
  place: Place,
): void {
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    place.leave();
    void source.return?.();
  };
  place.onStop = () => {
    if (isOver) return;
    response.end(`retry: ${randomInt(1000, 10_001)}\n\n`);
    over();
  };
  response.once('close', over);
  // The head goes out at once: the client knows then that it is connected.
  response.flushHeaders();
  const pump = async (): Promise<void> => {
    while (!isOver) {
      const piece = await source.next();
      if (isOver || piece.done === true) break;
      if (!response.write(piece.value)) await drained(response);
    }
    if (!isOver) response.end();
  };
  pump()
    .catch(() => response.destroy())
    .finally(over);
}

/** Resolves once the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
