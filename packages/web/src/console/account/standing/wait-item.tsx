import { useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useCounted, useWords } from '../../text.ts';
import { ProblemBox } from '../../ui/layout/state.tsx';
import { Time } from '../../ui/time.tsx';
import { StandingItem } from './standing-item.tsx';
import { SHOWING_ACCOUNTS, type Standing } from '../account.ts';

/** Recent failed logins, how long new attempts are blocked because of them, and a button that resets both. */
export function WaitItem({ id, standing }: { id: string; standing: Standing }) {
  const words = useWords();
  const counted = useCounted();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { Failures, BlockedUntil, LastRefusedAt } = standing;
  const unlock = async (): Promise<void> => {
    setBusy(true);
    const result = await callApi('POST /admin/account/{id}/unlock', { path: { id } });
    setBusy(false);
    setProblem(result.ok ? undefined : result.problem);
    if (!result.ok) return;
    toast(words('account.unlocked'));
    await refresh(...SHOWING_ACCOUNTS);
  };
  return (
    <>
      <StandingItem
        meaning="warning"
        title={counted('account.failures', Failures)}
        advice={words(BlockedUntil === null ? 'account.failures.advice' : 'account.wait.advice')}
        facts={
          <>
            {BlockedUntil !== null && (
              <>
                {words('account.wait.until')} <Time at={BlockedUntil} exact />
              </>
            )}
            {BlockedUntil !== null && LastRefusedAt !== null && ' · '}
            {LastRefusedAt !== null && (
              <>
                {words('account.wait.last')} <Time at={LastRefusedAt} exact />
              </>
            )}
          </>
        }
        action={
          <Button busy={isBusy} onClick={() => void unlock()}>
            {words('account.unlock')}
          </Button>
        }
      />
      {problem && (
        <li>
          <ProblemBox problem={problem} />
        </li>
      )}
    </>
  );
}
