import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { useWords, useWordsFor } from '../text.ts';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { filterOf, queryOf, type Target } from './account-filter.ts';
import { accountFilters } from './account-filters.ts';
import { AccountsTable } from './accounts-table.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { ExportAccounts } from './export-accounts.tsx';

type Open = { kind: 'create' | 'export' } | { kind: 'change'; target: Target };

/** All accounts. A bulk change targets the accounts that match the list's filters, or the selected ones. */
export function AccountsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const [open, setOpen] = useState<Open>();
  const query = queryOf(values);
  const { cursor } = values;
  const result = useQuery('GET /admin/account', {
    query: { ...query, count: true, ...(cursor && { cursor }) },
  });
  const emailOf = (id: string): string => result.data?.Items.find(({ Id }) => Id === id)?.Email ?? id;
  const selection = useSelection(JSON.stringify(query), emailOf);
  const filter = filterOf(values);
  const change = (target: Target): void => setOpen({ kind: 'change', target });
  const close = (): void => setOpen(undefined);
  const actions = (
    <>
      <Button icon={<Icon name="export" />} onClick={() => setOpen({ kind: 'export' })}>
        {words('export.title')}
      </Button>
      {filter && result.problem === undefined && (
        <Button onClick={() => change({ filter, query })}>{words('bulk.all')}</Button>
      )}
      <Button kind="primary" icon={<Icon name="plus" />} onClick={() => setOpen({ kind: 'create' })}>
        {words('accounts.create')}
      </Button>
    </>
  );
  return (
    <ScreenPage title={words('c.accounts.title')} wide actions={actions}>
      <FilterBar filters={accountFilters(words, wordsFor)} />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('accounts.none')} next={NextCursor} />
            ) : (
              <AccountsTable rows={Items} isOld={result.isOld} selection={selection} />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      <SelectionBar selection={selection}>
        <Button kind="primary" onClick={() => change({ selected: selection.selected })}>
          {words('bulk.selected')}
        </Button>
      </SelectionBar>
      {open?.kind === 'create' && <CreateDialog onClose={close} />}
      {open?.kind === 'change' && <BulkDialog target={open.target} onClose={close} />}
      {open?.kind === 'export' && <ExportAccounts query={query} onClose={close} />}
    </ScreenPage>
  );
}
