import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { FACE_TYPES, type Person } from './face-types.ts';
import { NextToReview } from './next-to-review.tsx';
import { PersonDialog } from './person-dialog.tsx';

/** The list of all persons, with the number of their faces of each match type. */
export function PersonsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const [isCreating, setCreating] = useState(false);
  const { search, cursor } = values;
  const result = useQuery('GET /person', {
    query: { count: true, ...(search && { search }), ...(cursor && { cursor }) },
  });
  return (
    <ScreenPage
      title={words('c.persons.title')}
      wide
      actions={
        <>
          <NextToReview />
          <Button kind="primary" icon={<Icon name="plus" />} onClick={() => setCreating(true)}>
            {words('persons.create')}
          </Button>
        </>
      }
    >
      <FilterBar filters={[{ name: 'search', label: words('persons.search'), type: 'search' }]} />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('persons.none')} next={NextCursor} />
            ) : (
              <DataTable
                caption={words('c.persons.title')}
                columns={columnsOf(words, wordsFor)}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) => `/console/persons/${Id}`}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {isCreating && <PersonDialog onClose={() => setCreating(false)} />}
    </ScreenPage>
  );
}

function columnsOf(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Column<Person>[] {
  return [
    { key: 'name', head: words('persons.name'), cell: ({ Name }) => Name },
    ...FACE_TYPES.map(([name, type]): Column<Person> => ({
      key: name,
      head: wordsFor('faceType', type),
      align: 'end',
      cell: ({ FaceMatchCounts }) =>
        FaceMatchCounts[name] === 0 ? <span class="quiet">0</span> : FaceMatchCounts[name],
    })),
    { key: 'external', head: words('persons.externalId'), cell: ({ ExternalId }) => ExternalId ?? '–' },
    { key: 'created', head: words('persons.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
  ];
}
