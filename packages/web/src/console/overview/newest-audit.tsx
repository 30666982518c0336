import { useQuery } from '../api/use-query.ts';
import { ActorName, TargetName } from '../audit/names.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';

/** The newest audit entries. */
export function NewestAudit() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const result = useQuery('GET /admin/audit', { query: { limit: 10, names: true } });
  return (
    <Card title={words('overview.newest')}>
      <Loaded result={result}>
        {({ Items }) =>
          Items.length === 0 ? (
            <Empty title={words('overview.newest.none')} />
          ) : (
            <DataTable
              caption={words('c.audit.title')}
              columns={[
                {
                  head: words('audit.what'),
                  cell: ({ Action }) => wordsFor('audit.action', Action),
                },
                { head: words('audit.who'), cell: (entry) => <ActorName entry={entry} /> },
                { head: words('audit.whom'), cell: (entry) => <TargetName entry={entry} /> },
                { head: words('audit.when'), cell: ({ At }) => <Time at={At} /> },
              ]}
              rows={Items}
              keyOf={({ Id }) => Id}
              hrefOf={({ TraceId, Id }) =>
                `/console/audit?${TraceId === null ? '' : `traceId=${TraceId}&`}entry=${Id}`
              }
            />
          )
        }
      </Loaded>
      <p>
        <a href="/console/audit">{words('overview.newest.all')}</a>
      </p>
    </Card>
  );
}
