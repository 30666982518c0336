import { call, type Problem } from '../../ui/api/api.ts';
import type { OwnSession } from './session-item.tsx';

/** How many sessions were ended, and the error if some could not be ended. */
export interface Outcome {
  count: number;
  problem?: Problem;
}

/** Ends sessions one by one, up to the first error. */
export async function endSessions(sessions: readonly Pick<OwnSession, 'Id'>[]): Promise<Outcome> {
  let count = 0;
  for (const { Id } of sessions) {
    const result = await call('DELETE', `/account/session/${Id}`);
    // A session that has ended in the meantime counts as ended.
    if (!result.ok && result.problem.status !== 404) return { count, problem: result.problem };
    count += 1;
  }
  return { count };
}
