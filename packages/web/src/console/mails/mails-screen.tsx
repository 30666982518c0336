import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import type { Input } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { momentOf } from '../ui/moment.ts';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { MailError, MailStatus, STATUSES, type Mail } from './mail-status.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** The list of mails and their states. */
export function MailsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Locale } = usePageData();
  const { values } = useFilters();
  const [open, setOpen] = useState<'test' | 'retry'>();
  const result = useQuery('GET /admin/mail', { query: queryOf(values) });
  return (
    <ScreenPage
      title={words('c.mails.title')}
      wide
      actions={
        <>
          <ButtonLink href={`/console/mails/templates?kind=invitation&locale=${Locale}`}>
            {words('mails.templates')}
          </ButtonLink>
          <Button onClick={() => setOpen('retry')}>{words('mails.retryAll')}</Button>
          <Button kind="primary" onClick={() => setOpen('test')}>
            {words('mails.test')}
          </Button>
        </>
      }
    >
      <FilterBar
        filters={[
          {
            name: 'status',
            label: words('mails.status'),
            options: STATUSES.map((value) => ({ value, words: wordsFor('mails.status', value) })),
          },
          { name: 'email', label: words('mails.to'), type: 'search' },
          { name: 'finishedFrom', label: words('mails.finishedFrom'), type: 'datetime-local', isRare: true },
          { name: 'finishedTo', label: words('mails.finishedTo'), type: 'datetime-local', isRare: true },
          { name: 'traceId', label: words('mails.trace'), isRare: true },
        ]}
      />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('mails.none')} next={NextCursor} />
            ) : (
              <DataTable
                caption={words('c.mails.title')}
                columns={columnsOf(words, wordsFor)}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) => `/console/mails/${Id}`}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {open === 'test' && <TestDialog onClose={() => setOpen(undefined)} />}
      {open === 'retry' && <RetryDialog email={values['email']} onClose={() => setOpen(undefined)} />}
    </ScreenPage>
  );
}

/** The filters in the address, as query parameters of the API. */
function queryOf(values: Readonly<Record<string, string>>): NonNullable<Input<'GET /admin/mail'>['query']> {
  const { status, email, traceId, finishedFrom, finishedTo, cursor } = values;
  const query = {
    ...{ status, email, traceId, cursor, count: true },
    finishedFrom: momentOf(finishedFrom),
    finishedTo: momentOf(finishedTo),
  };
  // The address may contain any value: the API rejects the invalid ones.
  return query as object;
}

function columnsOf(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Column<Mail>[] {
  return [
    {
      key: 'kind',
      head: words('mails.kind'),
      cell: ({ Kind }) => wordsFor('mails.kind', Kind),
      isClipped: true,
    },
    { key: 'to', head: words('mails.to'), cell: ({ Email }) => Email ?? '–', isClipped: true },
    { key: 'status', head: words('mails.status'), cell: ({ Status }) => <MailStatus status={Status} /> },
    { key: 'tries', head: words('mails.tries'), cell: ({ Tries }) => Tries, align: 'end' },
    {
      key: 'error',
      head: words('mails.error'),
      cell: ({ LastError }) => <MailError error={LastError} />,
      isClipped: true,
    },
    { key: 'created', head: words('mails.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
    { key: 'next', head: words('mails.nextTry'), cell: ({ NextTryAt }) => <Time at={NextTryAt} /> },
  ];
}
