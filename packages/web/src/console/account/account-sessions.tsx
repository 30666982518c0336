import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { ChangeDialog } from '../sessions/change-dialog.tsx';
import { sessionName } from '../sessions/session-name.ts';
import { SessionsTable } from '../sessions/sessions-table.tsx';
import { useWords } from '../text.ts';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';

/** The sessions of one account; selected ones can be changed. */
export function AccountSessions({ id }: { id: string }) {
  const words = useWords();
  const { cursor } = useFilters().values;
  const [changing, setChanging] = useState<ReadonlyMap<string, string>>();
  const result = useQuery('GET /admin/user-session', {
    query: { userId: id, count: true, ...(cursor && { cursor }) },
  });
  const selection = useSelection(id, (key) => sessionName(result.data?.Items, key));
  return (
    <>
      <Loaded result={result}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('account.noSessions')} next={NextCursor} />
            ) : (
              <SessionsTable rows={Items} isOld={result.isOld} selection={selection} />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      <SelectionBar selection={selection}>
        <Button kind="primary" onClick={() => setChanging(selection.selected)}>
          {words('bulk.selected')}
        </Button>
      </SelectionBar>
      {changing && (
        <ChangeDialog
          target={{ SessionIds: [...changing.keys()] }}
          selected={changing}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
