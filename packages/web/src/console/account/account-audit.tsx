import { ActorName, TargetName, type Entry } from '../audit/names.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';

/** The audit entries about an account, or about actions of its owner. Each links to its entry in the audit. */
export function AccountAudit({ id }: { id: string }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { side, cursor } = useFilters().values;
  const query = {
    ...(side === 'actor' ? { actorId: id } : { targetId: id }),
    ...(cursor && { cursor }),
  };
  const result = useQuery('GET /admin/audit', { query: { ...query, names: true, count: true } });
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'side',
            label: words('account.audit.side'),
            options: [{ value: 'actor', words: words('account.audit.actor') }],
          },
        ]}
      />
      <Loaded result={result}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('account.noAudit')} next={NextCursor} />
            ) : (
              <DataTable
                caption={words('c.audit.title')}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) =>
                  `/console/audit?${new URLSearchParams({ ...query, entry: Id }).toString()}`
                }
                columns={columnsOf(words, wordsFor)}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
    </>
  );
}

function columnsOf(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Column<Entry>[] {
  return [
    { key: 'what', head: words('audit.what'), cell: ({ Action }) => wordsFor('audit.action', Action) },
    { key: 'who', head: words('audit.who'), cell: (entry) => <ActorName entry={entry} /> },
    { key: 'whom', head: words('audit.whom'), cell: (entry) => <TargetName entry={entry} /> },
    { key: 'from', head: words('audit.ip'), cell: ({ IpAddress }) => IpAddress ?? '–' },
    { key: 'when', head: words('audit.when'), cell: ({ At }) => <Time at={At} /> },
  ];
}
