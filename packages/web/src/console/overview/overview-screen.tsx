import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Activity } from './activity.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NewestAudit } from './newest-audit.tsx';
import { Tiles } from './tiles.tsx';
import { Warnings } from './warnings.tsx';

const NOW_EVERY_MS = 30_000;

/** The present state of the installation, and its recent activity. */
export function OverviewScreen() {
  const words = useWords();
  const now = useQuery('GET /admin/statistics/now', {}, { everyMs: NOW_EVERY_MS });
  return (
    <ScreenPage title={words('c.overview.title')}>
      <Loaded result={now} lines={3}>
        {(numbers) => (
          <>
            <Warnings now={numbers} />
            {numbers.AccountsIsExact && numbers.Accounts <= numbers.ByRole.Admin && <FirstSteps />}
            <Tiles now={numbers} />
          </>
        )}
      </Loaded>
      <Activity />
      <NewestAudit />
    </ScreenPage>
  );
}
