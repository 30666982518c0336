import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { BulkDialog, type Look } from '../bulk/bulk-dialog.tsx';
import { useWords } from '../text.ts';
import styles from '../ui/dialog.module.css';
import { ProblemBox, Skeleton } from '../ui/layout/state.tsx';

type Filter = NonNullable<Input<'POST /admin/invitation/bulk'>['body']>['Filter'];
type Found = Answer<'POST /admin/invitation/bulk'>;

interface InvitationsDialogProps {
  /** The filters of the list; `undefined` if there are none. */
  filter: Filter | undefined;
  change: 'resend' | 'delete';
  onClose: () => void;
}

/** Resends or deletes all invitations that match the filters of the list, after a preview with their number. */
export function InvitationsDialog({ filter, change, onClose }: InvitationsDialogProps) {
  const words = useWords();
  return (
    <BulkDialog<Filter, Found>
      title={words(`invitations.bulk.${change}`)}
      form={(look, conflict) =>
        conflict ? (
          <Notice meaning="danger">{words(`invitations.bulk.${change}.tooMany`)}</Notice>
        ) : (
          <Start filter={filter} onStart={look} onClose={onClose} />
        )
      }
      send={(callApi, Filter, preview) =>
        callApi('POST /admin/invitation/bulk', {
          body: { Filter, Change: change, ...(!preview && { DryRun: true }) },
        })
      }
      refreshes={['GET /admin/invitation', 'GET /admin/content-definition/{id}/member']}
      lead={({ Count: count, Skipped }) => (
        <Notice meaning={count === 0 ? 'information' : 'warning'}>
          <p>
            {words(count === 0 ? 'invitations.bulk.nothing' : `invitations.bulk.${change}.count`, { count })}
          </p>
          {Skipped > 0 && <p>{words('invitations.bulk.skipped', { count: Skipped })}</p>}
        </Notice>
      )}
      backLabel={words('dialog.cancel')}
      onBack={onClose}
      kind={change === 'delete' ? 'danger' : 'primary'}
      action={(count) => words(`invitations.bulk.${change}.submit`, { count })}
      // Guests may have accepted or received invitations since the preview.
      message={({ Count: count }, { Count: before }) =>
        words(count === before ? 'invitations.bulk.done' : 'invitations.bulk.doneOther', { count, before })
      }
      onClose={onClose}
    />
  );
}

interface StartProps {
  filter: Filter | undefined;
  onStart: Look<Filter>;
  onClose: () => void;
}

/** Previews the change at once. Without a filter, it would apply to all invitations: asks for one instead. */
function Start({ filter, onStart, onClose }: StartProps) {
  const words = useWords();
  const [problem, setProblem] = useState<Problem>();
  const start = (): void => {
    setProblem(undefined);
    if (filter) void onStart(filter).then(setProblem);
  };
  useEffect(start, []);
  return (
    <>
      {filter === undefined && <Notice meaning="information">{words('invitations.bulk.noFilter')}</Notice>}
      {problem && <ProblemBox problem={problem} retry={start} />}
      {filter && !problem && <Skeleton lines={2} />}
      <div class={styles['actions']}>
        <Button onClick={onClose}>{words(filter ? 'dialog.cancel' : 'dialog.close')}</Button>
      </div>
    </>
  );
}
