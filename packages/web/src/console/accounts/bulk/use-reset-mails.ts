import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { useConsole } from '../../api/console-context.ts';
import type { Target } from '../../list/list.tsx';
import { useWords } from '../../text.ts';
import { findTargets, type Found, type ListedAccount } from './find-targets.ts';

/** How many accounts were sent a code, and which were refused. */
interface Sent {
  count: number;
  refused: readonly { id: string; words: string }[];
  /** Why the remaining accounts were not tried: the API is unavailable. */
  problem?: Problem;
}

/**
 * Finds the accounts to send codes to, and requests the mails one after the other, until all are requested or the user
 * stops.
 */
export function useResetMails(target: Target) {
  const words = useWords();
  const { callApi } = useConsole();
  const [found, setFound] = useState<Found>();
  const [sent, setSent] = useState<Sent>();
  const [isOver, setOver] = useState(false);
  const isStopped = useRef(false);
  useEffect(() => {
    void findTargets(callApi, target).then(setFound);
    return () => void (isStopped.current = true);
  }, []);
  const send = async (accounts: readonly ListedAccount[]): Promise<void> => {
    const refused: { id: string; words: string }[] = [];
    let state: Sent = { count: 0, refused };
    setSent(state);
    for (const { Id, Email } of accounts) {
      if (isStopped.current) break;
      const result = await callApi('POST /admin/account/{id}/reset-password', { path: { id: Id } });
      if (result.ok) state = { ...state, count: state.count + 1 };
      else if (result.problem.status === 0 || result.problem.status >= 500) {
        setSent({ ...state, problem: result.problem });
        break;
      } else {
        const isConflict = result.problem.code === 'conflict';
        const why = words(isConflict ? 'accounts.reset.conflict' : 'accounts.reset.no');
        refused.push({ id: Id, words: `${Email}: ${why}` });
      }
      setSent({ ...state });
    }
    setOver(true);
  };
  return { found, sent, isOver, send, stop: () => void (isStopped.current = true) };
}
