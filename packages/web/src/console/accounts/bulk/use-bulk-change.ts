import { useState } from 'preact/hooks';
import type { Problem, Result } from '../../../ui/api/api.ts';
import type { Answer, Input } from '../../api/call-api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { NAMED_MAX } from '../../bulk/difference.ts';
import type { Target } from '../../list/list.tsx';
import type { Wanted } from './bulk-form.tsx';

type AccountFilter = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Filter'];
type Changed = Answer<'POST /admin/account/bulk'>;

/** The steps of a bulk change of accounts: the chosen change, its preview, and its result. */
export function useBulkChange(target: Target) {
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [wanted, setWanted] = useState<Wanted>();
  const [preview, setPreview] = useState<Changed>();
  const [done, setDone] = useState<Changed>();
  const filter: AccountFilter = 'selected' in target ? { Ids: [...target.selected.keys()] } : target.filter;
  const send = (
    { Change, Reason }: Wanted,
    Filter: AccountFilter,
    DryRun: boolean,
  ): Promise<Result<Changed>> =>
    callApi('POST /admin/account/bulk', {
      body: { Filter, Change: Change ?? {}, ...(Reason && { Reason }), ...(DryRun && { DryRun }) },
    });
  const look = async (asked: Wanted): Promise<Problem | undefined> => {
    if (asked.Change !== undefined) {
      const result = await send(asked, filter, true);
      if (!result.ok) return result.problem;
      setPreview(result.value);
    }
    setWanted(asked);
    return undefined;
  };
  const apply = async (): Promise<Problem | undefined> => {
    if (wanted === undefined || preview === undefined) return undefined;
    // Excludes accounts that did not match at the time of the preview.
    const seen = preview.Ids.length > NAMED_MAX ? filter : { ...filter, Ids: preview.Ids };
    const result = await send(wanted, seen, false);
    if (!result.ok) return result.problem;
    setDone(result.value);
    await refresh('GET /admin/account', 'GET /admin/user-session', 'GET /admin/statistics/now');
    return undefined;
  };
  return { wanted, preview, done, look, apply, back: () => setWanted(undefined) };
}
