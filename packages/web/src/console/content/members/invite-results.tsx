import { Button } from '../../../ui/form/button.tsx';
import type { Answer } from '../../api/call-api.ts';
import { useWords, useWordsFor } from '../../text.ts';
import { Badge, type Meaning } from '../../ui/badge.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from '../../ui/dialog.module.css';

type Item = Answer<'POST /admin/content-definition/{id}/invite'>['Items'][number];

const MEANINGS: Record<Item['Result'], Meaning> = {
  Invited: 'success',
  AccessGranted: 'success',
  Reinvited: 'information',
  AlreadyHasAccess: 'neutral',
};

/** The result for each address. */
export function InviteResults({ items, onClose }: { items: readonly Item[]; onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <Dialog title={words('content.invited')} onClose={onClose}>
      <p role="status">{words('content.invited.count', { count: items.length })}</p>
      <DataTable
        caption={words('content.invited')}
        rows={items}
        keyOf={({ UserId }) => UserId}
        columns={[
          { head: words('content.email'), cell: ({ Email }) => Email },
          {
            head: words('content.invited.result'),
            cell: ({ Result }) => (
              <Badge meaning={MEANINGS[Result]}>{wordsFor('content.invited', Result)}</Badge>
            ),
          },
        ]}
      />
      <div class={styles['actions']}>
        <Button kind="primary" onClick={onClose}>
          {words('content.invited.done')}
        </Button>
      </div>
    </Dialog>
  );
}
