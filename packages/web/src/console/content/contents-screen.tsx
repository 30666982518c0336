import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import { useEmails } from '../accounts/use-emails.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { KINDS, type Listed } from './content.ts';
import { SaveDialog } from './save-dialog.tsx';
import { usePageData } from '../../ui/api/page-data.ts';

/** The list of all content. */
export function ContentsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { route } = useLocation();
  const { search, kind, ownerId, cursor } = useFilters().values;
  const [isCreating, setCreating] = useState(false);
  const result = useQuery('GET /admin/content-definition', {
    // The address may contain any value: the API rejects the invalid ones.
    query: { search, kind, ownerId, cursor, count: true, members: true } as object,
  });
  const emails = useEmails(result.data?.Items.map(({ OwnerId }) => OwnerId) ?? []);
  const create = (
    <Button kind="primary" icon={<Icon name="plus" />} onClick={() => setCreating(true)}>
      {words('content.create')}
    </Button>
  );
  const numberOf = useMemberNumber();
  const isNarrowed = [search, kind, ownerId].some((value) => value !== undefined);
  return (
    <ScreenPage title={words('c.content.title')} wide actions={create}>
      <FilterBar
        filters={[
          { name: 'search', label: words('content.search'), type: 'search' },
          {
            name: 'kind',
            label: words('content.kind'),
            options: KINDS.map((value) => ({ value, words: wordsFor('content.kind', value) })),
          },
          { name: 'ownerId', label: words('content.ownerId') },
        ]}
      />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words(isNarrowed ? 'content.noMatch' : 'content.none')} next={NextCursor}>
                {!isNarrowed && <p>{words('content.none.lead')}</p>}
              </Empty>
            ) : (
              <DataTable
                caption={words('c.content.title')}
                columns={columnsOf(words, wordsFor, emails, numberOf)}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) => `/console/content/${Id}`}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {isCreating && (
        <SaveDialog
          onClose={() => setCreating(false)}
          onSaved={({ Id }) => route(`/console/content/${Id}`)}
        />
      )}
    </ScreenPage>
  );
}

function columnsOf(
  words: Words,
  wordsFor: ReturnType<typeof useWordsFor>,
  emails: ReadonlyMap<string, string>,
  numberOf: (count: number | undefined) => string,
): Column<Listed>[] {
  return [
    { key: 'name', head: words('content.name'), cell: ({ Name }) => Name },
    { key: 'kind', head: words('content.kind'), cell: ({ Kind }) => wordsFor('content.kind', Kind) },
    {
      key: 'owner',
      head: words('content.owner'),
      cell: ({ OwnerId }) => <AccountLink id={OwnerId} emails={emails} />,
    },
    {
      key: 'access',
      head: words('content.access'),
      align: 'end',
      cell: ({ AccessCount }) => numberOf(AccessCount),
    },
    {
      key: 'pending',
      head: words('content.pending'),
      align: 'end',
      cell: ({ PendingCount }) => numberOf(PendingCount),
    },
    {
      key: 'id',
      head: words('content.id'),
      cell: ({ Id }) => <Copy value={Id} label={words('content.id')} />,
    },
  ];
}

/** The API counts up to this number; a larger count means "more than this" (public-openapi.json). */
const COUNTED_MAX = 1000;

/** Formats a number of members as counted in the content list. */
function useMemberNumber(): (count: number | undefined) => string {
  const words = useWords();
  const { Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (count) => {
    if (count === undefined) return '–';
    if (count > COUNTED_MAX) return words('content.moreThan', { count: number.format(COUNTED_MAX) });
    return number.format(count);
  };
}
