import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { useAsk } from '../api/use-ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { useFilters } from '../ui/filters.ts';
import { Pager } from '../ui/pager.tsx';
import { ScreenPage } from '../ui/screen-page.tsx';
import { Empty, Loaded } from '../ui/state.tsx';
import { ChangeDialog, type Target } from './change-dialog.tsx';
import { filterOf, STATUSES } from './session-filter.ts';
import { SessionsTable } from './sessions-table.tsx';

/** Every session; what is listed is what a change of all of them would change. */
export function SessionsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const [target, setTarget] = useState<Target>();
  const { status, search, isOnline, userId, contentDefinitionId, cursor } = values;
  const query = { status, search, isOnline, userId, contentDefinitionId, cursor, count: true };
  // What stands in an address may be anything: the API says what it takes.
  const asked = useAsk('GET /admin/user-session', { query: query as object });
  const filter = filterOf(values);
  return (
    <ScreenPage
      title={words('c.sessions.title')}
      wide
      actions={
        filter && (
          <Button onClick={() => setTarget({ Filter: filter })}>{words('sessions.change.all')}</Button>
        )
      }
    >
      <FilterBar
        filters={[
          { name: 'search', label: words('sessions.search'), type: 'search' },
          {
            name: 'status',
            label: words('sessions.status'),
            options: STATUSES.map((value) => ({
              value: String(value),
              words: wordsFor('sessionStatus', value),
            })),
          },
          {
            name: 'isOnline',
            label: words('sessions.online'),
            options: [
              { value: 'true', words: words('yes') },
              { value: 'false', words: words('no') },
            ],
          },
        ]}
      />
      <Loaded asked={asked} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('sessions.none')} />
            ) : (
              <SessionsTable rows={Items} isOld={asked.isOld} />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {target && <ChangeDialog target={target} onClose={() => setTarget(undefined)} />}
    </ScreenPage>
  );
}
