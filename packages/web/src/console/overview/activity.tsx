import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Loaded } from '../ui/layout/state.tsx';
import styles from './activity.module.css';
import { CHARTS, chartOf } from './charts.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = 60_000;

const RANGES = {
  day: { hours: 24, step: 'hour' },
  week: { hours: 7 * 24, step: 'day' },
  month: { hours: 30 * 24, step: 'day' },
} as const;

/** Charts of the last day, week or month. */
export function Activity() {
  const words = useWords();
  const { values, set } = useFilters();
  const range = values['range'] === 'week' || values['range'] === 'month' ? values['range'] : 'day';
  const { hours, step } = RANGES[range];
  const length = step === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  // The last bar is the current hour or day.
  const from = Math.floor(Date.now() / length) * length + length - hours * HOUR_MS;
  const query = { from: new Date(from).toISOString(), interval: step };
  const result = useQuery('GET /admin/statistics', { query }, { everyMs: EVERY_MS });
  return (
    <section class={styles['activity']} aria-label={words('overview.activity')}>
      <div class={styles['head']}>
        <h2>{words('overview.activity')}</h2>
        <div class={styles['ranges']} role="group" aria-label={words('overview.range')}>
          {(['day', 'week', 'month'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => set({ range: one === 'day' ? undefined : one })}
            >
              {words(`overview.range.${one}`)}
            </button>
          ))}
        </div>
      </div>
      <Loaded result={result} lines={8}>
        {({ Series }) => (
          <div class={styles['charts']} aria-busy={result.isOld}>
            {CHARTS.map((chart) => (
              <Chart key={chart.title} {...chartOf(chart, Series, step, words)} step={step} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}
