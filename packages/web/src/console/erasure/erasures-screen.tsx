import { useState } from 'preact/hooks';
import { useEmails } from '../accounts/use-emails.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { erasureColumns } from './erasure-columns.tsx';
import { STATES } from './erasure-state.tsx';
import { CancelErasureDialog } from './cancel-erasure-dialog.tsx';

/** The list of all erasures: pending, done and taken back. */
export function ErasuresScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { state, userId, cursor } = useFilters().values;
  const [takingBack, setTakingBack] = useState<string>();
  // The address may contain any value: the API rejects the invalid ones.
  const query = { ...(state && { state }), ...(userId && { userId }), ...(cursor && { cursor }) } as object;
  const result = useQuery('GET /admin/erasure', { query });
  const emails = useEmails(result.data?.Items.map(({ UserId }) => UserId) ?? []);
  return (
    <ScreenPage title={words('c.erasures.title')} wide>
      <FilterBar
        filters={[
          {
            name: 'state',
            label: words('erasure.state'),
            options: STATES.map((value) => ({ value, words: wordsFor('erasure.state', value) })),
          },
          { name: 'userId', label: words('id.account') },
        ]}
      />
      <Loaded result={result}>
        {({ Items, NextCursor }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('erasure.none')} />
            ) : (
              <DataTable
                caption={words('c.erasures.title')}
                rows={Items}
                keyOf={({ Id }) => Id}
                columns={erasureColumns({ words, emails, onTakeBack: setTakingBack })}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} />
          </>
        )}
      </Loaded>
      {takingBack && <CancelErasureDialog accountId={takingBack} onClose={() => setTakingBack(undefined)} />}
    </ScreenPage>
  );
}
