import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { type Answer, type CallApi, useConsole } from '../api/call-api.ts';
import { collect } from '../export/export.tsx';
import { NameList } from '../kit/bulk.tsx';
import type { Target } from '../kit/list.tsx';
import { counted, words } from '../text.ts';
import { ProblemBox, Skeleton } from '../ui/screen-page.tsx';

type Listed = Answer<'GET /admin/account'>['Items'][number];

interface ResetMailsProps {
  target: Target;
  onBack: () => void;
  onClose: () => void;
}

/** Can be stopped, and lists the accounts that got no mail. */
export function ResetMails({ target, onBack, onClose }: ResetMailsProps) {
  const { found, sent, isOver, send, stop } = useResetMails(target);
  if (found === undefined) return <Skeleton lines={3} />;
  if (!found.ok) return <ProblemBox problem={found.problem} />;
  const { accounts } = found;
  if (accounts === undefined)
    return <p role="status">{words('accounts.reset.tooMany', { most: RESETS_MAX })}</p>;
  if (sent === undefined) {
    return (
      <>
        <p role="status">{counted('accounts.reset.lead', accounts.length)}</p>
        <NameList
          label={words('bulk.who')}
          names={accounts.map(({ Id, Email }) => ({ id: Id, words: Email }))}
        />
        <Actions>
          <Button onClick={onBack}>{words('bulk.back')}</Button>
          {accounts.length > 0 && (
            <Button kind="danger" onClick={() => void send(accounts)}>
              {counted('accounts.reset.apply', accounts.length)}
            </Button>
          )}
        </Actions>
      </>
    );
  }
  const refused = words('accounts.reset.refused', { count: sent.refused.length });
  return (
    <>
      {sent.problem && <ProblemBox problem={sent.problem} />}
      <p role="status">{words('accounts.reset.sent', { count: sent.count, all: accounts.length })}</p>
      {sent.refused.length > 0 && <p>{refused}</p>}
      <NameList label={refused} names={sent.refused} />
      <Actions>
        {isOver ? (
          <Button kind="primary" onClick={onClose}>
            {words('dialog.close')}
          </Button>
        ) : (
          <Button onClick={stop}>{words('accounts.reset.stop')}</Button>
        )}
      </Actions>
    </>
  );
}

interface Sent {
  count: number;
  refused: readonly { id: string; words: string }[];
  /** Why the remaining accounts were not tried: the API is unavailable. */
  problem?: Problem;
}

function useResetMails(target: Target) {
  const { callApi } = useConsole();
  const [found, setFound] = useState<Found>();
  const [sent, setSent] = useState<Sent>();
  const [isOver, setOver] = useState(false);
  const isStopped = useRef(false);
  useEffect(() => {
    void findTargets(callApi, target).then(setFound);
    return () => void (isStopped.current = true);
  }, []);
  const send = async (accounts: readonly Listed[]): Promise<void> => {
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

/** The accounts that a change targets; `accounts` is `undefined` if there are more than `RESETS_MAX`. */
type Found = { ok: true; accounts: readonly Listed[] | undefined } | { ok: false; problem: Problem };

/** The maximum number of reset mails, because they are requested one by one. */
const RESETS_MAX = 1000;
/** The maximum number of ids per request of the API. */
const IDS_MAX = 100;

async function findTargets(callApi: CallApi, target: Target): Promise<Found> {
  if (!('selected' in target)) return findMatching(callApi, target.query);
  const accounts: Listed[] = [];
  const wanted = [...target.selected.keys()];
  for (let at = 0; at < wanted.length; at += IDS_MAX) {
    const ids = wanted.slice(at, at + IDS_MAX).join(',');
    const result = await callApi('GET /admin/account', { query: { ids } });
    if (!result.ok) return result;
    accounts.push(...result.value.Items);
  }
  return { ok: true, accounts: accounts.length > RESETS_MAX ? undefined : accounts };
}

async function findMatching(callApi: CallApi, query: object): Promise<Found> {
  let count = 0;
  const { rows, problem } = await collect<Listed>(
    (cursor) => callApi('GET /admin/account', { query: { ...query, limit: 200, ...(cursor && { cursor }) } }),
    { rows: [], isWhole: false },
    () => count > RESETS_MAX,
    (read) => (count = read),
  );
  if (problem) return { ok: false, problem };
  return { ok: true, accounts: rows.length > RESETS_MAX ? undefined : rows };
}
