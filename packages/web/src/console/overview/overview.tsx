import { useQuery } from '../api/use-query.ts';
import { ActorName, actionOf, TargetName } from '../audit/audit.tsx';
import type { Screen } from '../screen.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Card, Empty, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { Time } from '../ui/values.tsx';
import { Activity } from './activity.tsx';
import { Attention, FirstSteps, useFirstSteps } from './attention.tsx';
import { Tiles } from './tiles.tsx';

const NOW_EVERY_MS = 30_000;

/** The present state of the installation, and its recent activity. */
function OverviewScreen() {
  const words = useWords();
  const now = useQuery('GET /admin/statistics/now', {}, { everyMs: NOW_EVERY_MS });
  const steps = useFirstSteps(now.data?.Accounts);
  return (
    <ScreenPage title={words('c.overview.title')}>
      {steps && <FirstSteps steps={steps} />}
      <Attention now={now.data} />
      {/* The numbers wait for the steps above them, so that they do not move. */}
      <Loaded result={steps ? now : { ...now, data: undefined }} lines={3}>
        {(numbers) => <Tiles now={numbers} />}
      </Loaded>
      <Activity />
      <NewestAudit />
    </ScreenPage>
  );
}

/** The newest audit entries. */
function NewestAudit() {
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
                  cell: (entry) => actionOf(entry, words, wordsFor),
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

export const overviewScreens: readonly Screen[] = [
  {
    path: '',
    component: OverviewScreen,
    nav: { label: 'c.overview.title', icon: 'overview', key: 'o' },
  },
];
