import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { useWords, useWordsFor } from '../text.ts';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { filterOf, queryOf, type Target } from './session-filter.ts';
import { sessionName } from './session-name.ts';
import { sessionFilters } from './session-filters.ts';
import { SessionsTable } from './sessions-table.tsx';

/** All sessions. A change targets the sessions that match the list's filters, or the selected ones. */
export function SessionsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const [open, setOpen] = useState<{ target: Target; selected?: ReadonlyMap<string, string> }>();
  const query = queryOf(values);
  const { cursor, ssoProvider, endReason } = values;
  const result = useQuery('GET /admin/user-session', {
    query: { ...query, count: true, ...(cursor && { cursor }) },
  });
  const known = useQuery('GET /admin/sso-provider').data?.Items.map(({ Id }) => Id) ?? [];
  const providers = [...new Set([...known, ...(ssoProvider ? [ssoProvider] : [])])];
  const selection = useSelection(JSON.stringify(query), (id) => sessionName(result.data?.Items, id));
  const { selected } = selection;
  const changeSelected = (): void => setOpen({ target: { SessionIds: [...selected.keys()] }, selected });
  const filter = filterOf(values);
  return (
    <ScreenPage
      title={words('c.sessions.title')}
      wide
      actions={
        filter &&
        result.problem === undefined && (
          <Button onClick={() => setOpen({ target: { Filter: filter } })}>{words('bulk.all')}</Button>
        )
      }
    >
      <FilterBar filters={sessionFilters({ words, wordsFor, providers, endReason })} />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('sessions.none')} next={NextCursor} />
            ) : (
              <SessionsTable rows={Items} isOld={result.isOld} selection={selection} />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      <SelectionBar selection={selection}>
        <Button kind="primary" onClick={changeSelected}>
          {words('bulk.selected')}
        </Button>
      </SelectionBar>
      {open && <ChangeDialog {...open} onClose={() => setOpen(undefined)} />}
    </ScreenPage>
  );
}
