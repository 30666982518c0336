import { useEffect } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';

const MINUTE_MS = 60_000;
/** A user without input for this long is inactive: an open window alone does not keep the session alive. */
const AWAY_MS = 5 * MINUTE_MS;

/** Pings every minute while the user is active. This keeps the session alive, and detects that it has ended. */
export function useKeepAlive(onLeave: (because: Problem) => void): void {
  useEffect(() => {
    let touchedAt = performance.now();
    const touch = (): void => {
      touchedAt = performance.now();
    };
    const ping = async (): Promise<void> => {
      if (performance.now() - touchedAt > AWAY_MS) return;
      const result = await call('POST', '/console/session/ping', {});
      if (!result.ok && (result.problem.status === 401 || result.problem.code === 'forbidden'))
        onLeave(result.problem);
    };
    void ping();
    const timer = setInterval(() => void ping(), MINUTE_MS);
    addEventListener('keydown', touch);
    addEventListener('pointerdown', touch);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', touch);
      removeEventListener('pointerdown', touch);
    };
  }, []);
}
