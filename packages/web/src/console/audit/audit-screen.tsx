import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import { FilterBar, type Filter } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { ACTIONS } from './actions.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { exportRow } from './export-row.ts';
import { ActorName, TargetName, type Entry } from './names.tsx';
import { queryOf } from './query.ts';

/** The audit: who changed what, when, and from where. */
export function AuditScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi } = useConsole();
  const { values, set } = useFilters();
  const [isExporting, setExporting] = useState(false);
  const filter = queryOf(values);
  const { cursor, entry: openId } = values;
  const result = useQuery('GET /admin/audit', {
    query: { ...filter, names: true, count: true, ...(cursor && { cursor }) },
  });
  const open = result.data?.Items.find(({ Id }) => Id === openId);
  return (
    <ScreenPage
      title={words('c.audit.title')}
      wide
      actions={
        <Button icon={<Icon name="export" />} onClick={() => setExporting(true)}>
          {words('export.title')}
        </Button>
      }
    >
      <Narrowing traceId={values['traceId']} />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('audit.none')} next={NextCursor} />
            ) : (
              <DataTable
                caption={words('c.audit.title')}
                columns={columnsOf(words, wordsFor)}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) =>
                  `/console/audit?${new URLSearchParams({ ...values, entry: Id }).toString()}`
                }
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {open && <EntryDrawer entry={open} onClose={() => set({ entry: undefined }, { keepPage: true })} />}
      {isExporting && (
        <ExportDialog
          name="audit"
          page={(next) =>
            callApi('GET /admin/audit', {
              query: { ...filter, names: true, limit: 200, ...(next && { cursor: next }) },
            })
          }
          rowOf={exportRow}
          onClose={() => setExporting(false)}
        />
      )}
    </ScreenPage>
  );
}

/** The filters of the list. If it shows one request, also a link to the mails that this request caused. */
function Narrowing({ traceId }: { traceId: string | undefined }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <>
      <FilterBar filters={filtersOf(words, wordsFor)} />
      {traceId && <MailsOfTrace traceId={traceId} />}
    </>
  );
}

const ACTOR_KINDS = ['Account', 'ApiToken', 'System'] as const;

function filtersOf(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Filter[] {
  return [
    {
      name: 'action',
      label: words('audit.what'),
      options: ACTIONS.map((value) => ({ value, words: wordsFor('audit.action', value) })),
    },
    {
      name: 'actorKind',
      label: words('audit.who'),
      options: ACTOR_KINDS.map((value) => ({ value, words: wordsFor('audit.actorKind', value) })),
    },
    { name: 'from', label: words('audit.from'), type: 'datetime-local' },
    { name: 'to', label: words('audit.to'), type: 'datetime-local' },
    { name: 'actorId', label: words('audit.actorId'), isRare: true },
    { name: 'targetId', label: words('audit.targetId'), isRare: true },
    { name: 'ipAddress', label: words('audit.ip'), isRare: true },
    { name: 'traceId', label: words('audit.trace'), isRare: true },
  ];
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

/** The number of mails that a request caused, with a link to their list; renders nothing if there are none. */
function MailsOfTrace({ traceId }: { traceId: string }) {
  const words = useWords();
  const { data } = useQuery('GET /admin/mail', { query: { traceId, limit: 1, count: true } });
  if (data === undefined || data.Items.length === 0) return null;
  return (
    <p>
      <a href={`/console/mails?${new URLSearchParams({ traceId }).toString()}`}>
        {words('audit.mailsOfTrace', { count: data.Count ?? data.Items.length })}
      </a>
    </p>
  );
}
