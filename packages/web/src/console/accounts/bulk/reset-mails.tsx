import { Button } from '../../../ui/form/button.tsx';
import { NameList } from '../../bulk/name-list.tsx';
import type { Target } from '../../list/list.tsx';
import { useCounted, useWords } from '../../text.ts';
import dialog from '../../ui/dialog.module.css';
import { ProblemBox, Skeleton } from '../../ui/layout/state.tsx';
import { RESETS_MAX } from './find-targets.ts';
import { useResetMails } from './use-reset-mails.ts';

interface ResetMailsProps {
  target: Target;
  onBack: () => void;
  onClose: () => void;
}

/** Sends each account a password reset code by mail. Can be stopped, and lists the accounts that got no mail. */
export function ResetMails({ target, onBack, onClose }: ResetMailsProps) {
  const words = useWords();
  const counted = useCounted();
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
        <div class={dialog['actions']}>
          <Button onClick={onBack}>{words('bulk.back')}</Button>
          {accounts.length > 0 && (
            <Button kind="danger" onClick={() => void send(accounts)}>
              {counted('accounts.reset.apply', accounts.length)}
            </Button>
          )}
        </div>
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
      <div class={dialog['actions']}>
        {isOver ? (
          <Button kind="primary" onClick={onClose}>
            {words('dialog.close')}
          </Button>
        ) : (
          <Button onClick={stop}>{words('accounts.reset.stop')}</Button>
        )}
      </div>
    </>
  );
}
