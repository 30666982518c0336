import { useAsk } from '../api/use-ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { useFilters } from '../ui/filters.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { Empty, Loaded } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';

/** What was done to an account, or what its owner did. */
export function AccountAudit({ id }: { id: string }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { side } = useFilters().values;
  const asked = useAsk('GET /admin/audit', { query: side === 'actor' ? { actorId: id } : { targetId: id } });
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
      <Loaded asked={asked}>
        {({ Items }) =>
          Items.length === 0 ? (
            <Empty title={words('account.noAudit')} />
          ) : (
            <DataTable
              caption={words('c.audit.title')}
              rows={Items}
              keyOf={({ Id }) => Id}
              isOld={asked.isOld}
              columns={[
                { key: 'at', head: words('account.audit.at'), cell: ({ At }) => <Time at={At} /> },
                {
                  key: 'action',
                  head: words('account.audit.action'),
                  cell: ({ Action }) => wordsFor('audit.action', Action),
                },
                {
                  key: 'actor',
                  head: words('account.audit.by'),
                  cell: ({ ActorId, ActorKind }) =>
                    ActorId ? (
                      <Copy value={ActorId} label={words('id.account')} />
                    ) : (
                      wordsFor('audit.actorKind', ActorKind)
                    ),
                },
                { key: 'ip', head: words('sessions.address'), cell: ({ IpAddress }) => IpAddress ?? '–' },
                {
                  key: 'trace',
                  head: words('state.trace'),
                  cell: ({ TraceId }) =>
                    TraceId ? <Copy value={TraceId} label={words('state.trace')} /> : '–',
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
