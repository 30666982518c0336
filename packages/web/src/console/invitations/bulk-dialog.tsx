import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Problem } from '../../ui/api/api.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/dialog.module.css';
import { ProblemBox, Skeleton } from '../ui/layout/state.tsx';
import type { InvitationFilter } from './invitation.ts';

interface BulkDialogProps {
  /** The filters of the list; `undefined` if there are none. */
  filter: InvitationFilter | undefined;
  change: 'resend' | 'delete';
  onClose: () => void;
}

/** Resends or deletes all invitations that match the filters of the list, after a preview with their number. */
export function BulkDialog({ filter, change, onClose }: BulkDialogProps) {
  const words = useWords();
  return (
    <Dialog title={words(`invitations.bulk.${change}`)} onClose={onClose}>
      {filter === undefined ? (
        <>
          <Notice meaning="information">{words('invitations.bulk.noFilter')}</Notice>
          <div class={styles['actions']}>
            <Button onClick={onClose}>{words('dialog.close')}</Button>
          </div>
        </>
      ) : (
        <Preview filter={filter} change={change} onClose={onClose} />
      )}
    </Dialog>
  );
}

type Found = Answer<'POST /admin/invitation/bulk'>;

function Preview({ filter, change, onClose }: BulkDialogProps & { filter: InvitationFilter }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const body = { Filter: filter, Change: change };
  const look = async (): Promise<void> => {
    setProblem(undefined);
    const result = await callApi('POST /admin/invitation/bulk', { body: { ...body, DryRun: true } });
    if (result.ok) setFound(result.value);
    else setProblem(result.problem);
  };
  useEffect(() => void look(), []);
  const apply = async (): Promise<void> => {
    setBusy(true);
    const result = await callApi('POST /admin/invitation/bulk', { body });
    setBusy(false);
    if (!result.ok) return setProblem(result.problem);
    const { Count } = result.value;
    // Guests may have accepted or received invitations since the preview.
    const key = Count === found?.Count ? 'done' : 'doneOther';
    toast(words(`invitations.bulk.${key}`, { count: Count, before: found?.Count ?? 0 }));
    await refresh('GET /admin/invitation', 'GET /admin/content-definition/{id}/member');
    onClose();
  };
  if (problem?.code === 'conflict')
    return <Notice meaning="danger">{words(`invitations.bulk.${change}.tooMany`)}</Notice>;
  return (
    <>
      {problem && <ProblemBox problem={problem} retry={() => void look()} />}
      {!found && !problem && <Skeleton lines={2} />}
      {found && (
        <Notice meaning={found.Count === 0 ? 'information' : 'warning'}>
          <p>
            {words(found.Count === 0 ? 'invitations.bulk.nothing' : `invitations.bulk.${change}.count`, {
              count: found.Count,
            })}
          </p>
          {found.Skipped > 0 && <p>{words('invitations.bulk.skipped', { count: found.Skipped })}</p>}
        </Notice>
      )}
      <div class={styles['actions']}>
        <Button onClick={onClose}>{words('dialog.cancel')}</Button>
        {found && found.Count > 0 && (
          <Button
            kind={change === 'delete' ? 'danger' : 'primary'}
            busy={isBusy}
            onClick={() => void apply()}
          >
            {words(`invitations.bulk.${change}.submit`, { count: found.Count })}
          </Button>
        )}
      </div>
    </>
  );
}
