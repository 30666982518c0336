import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useConsole } from '../api/console-context.ts';
import { useCounted } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** Offers to mail the owners of imported accounts a link to set them up: nobody has told them yet. */
export function InviteImported({ waiting }: { waiting: readonly (readonly string[])[] }) {
  const counted = useCounted();
  const { callApi } = useConsole();
  const [mailed, setMailed] = useState<{ parts: number; count: number }>({ parts: 0, count: 0 });
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const left = waiting.slice(mailed.parts);
  const count = left.reduce((sum, part) => sum + part.length, 0);
  const invite = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    for (const part of left) {
      const result = await callApi('POST /admin/account/bulk/invite', {
        body: { Filter: { Ids: [...part] } },
      });
      if (!result.ok) {
        setProblem(result.problem);
        break;
      }
      const { Count } = result.value;
      setMailed((now) => ({ parts: now.parts + 1, count: now.count + Count }));
    }
    setBusy(false);
  };
  return (
    <>
      {count > 0 && (
        <Notice meaning="information">
          <p>{counted('import.waiting', count)}</p>
        </Notice>
      )}
      {mailed.parts > 0 && <Notice meaning="success">{counted('import.mailed', mailed.count)}</Notice>}
      {problem && <ProblemBox problem={problem} />}
      {count > 0 && (
        <div>
          <Button busy={isBusy} onClick={() => void invite()}>
            {counted('import.invite', count)}
          </Button>
        </div>
      )}
    </>
  );
}
