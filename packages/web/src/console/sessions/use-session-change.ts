import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import type { Answer, Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { NAMED_MAX } from '../bulk/difference.ts';
import { isOfEnded, type Target } from './session-filter.ts';

type Body = NonNullable<Input<'POST /admin/user-session'>['body']>;
type Changed = Answer<'POST /admin/user-session'>;
type Wanted = Pick<Body, 'Reason' | 'Status'>;

/** The steps of a change of sessions: the chosen change, its preview, and its result. */
export function useSessionChange(target: Target) {
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [wanted, setWanted] = useState<Wanted>();
  const [preview, setPreview] = useState<Changed>();
  const [done, setDone] = useState<Changed>();
  const look = async (change: Wanted): Promise<Problem | undefined> => {
    const result = await callApi('POST /admin/user-session', {
      body: { ...target, ...change, DryRun: true },
    });
    if (!result.ok) return result.problem;
    setWanted(change);
    setPreview(result.value);
    return undefined;
  };
  const apply = async (): Promise<Problem | undefined> => {
    if (wanted === undefined || preview === undefined) return undefined;
    const result = await callApi('POST /admin/user-session', {
      body: { ...seen(target, preview), ...wanted },
    });
    if (!result.ok) return result.problem;
    setDone(result.value);
    await refresh('GET /admin/user-session', 'GET /admin/user-session/{id}', 'GET /admin/statistics/now');
    return undefined;
  };
  const back = (): void => setPreview(undefined);
  return { wanted, preview, done, look, apply, back };
}

/**
 * Limits a change to the previewed sessions: the administrator has not seen those that match only since then. This is
 * not possible for ended sessions, because `SessionIds` selects only active ones.
 */
function seen(target: Target, { Ids }: Changed): Target {
  const isNameable = 'Filter' in target && !isOfEnded(target.Filter) && Ids.length <= NAMED_MAX;
  return isNameable ? { SessionIds: Ids } : target;
}
