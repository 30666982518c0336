import { usePageData } from '../../../ui/api/page-data.ts';
import { useWords } from '../../text.ts';
import type { ChartSeries } from './chart-series.ts';
import styles from './chart.module.css';
import { formatOf } from './draw-bars.ts';

interface ChartTableProps {
  title: string;
  at: readonly number[];
  series: readonly ChartSeries[];
  step: 'hour' | 'day';
}

/** The numbers of a chart as a table, newest first. Each links to the list of the counted objects, if there is one. */
export function ChartTable({ title, at, series, step }: ChartTableProps) {
  const words = useWords();
  const { Locale } = usePageData();
  const moment = formatOf(step, Locale, true);
  const number = new Intl.NumberFormat(Locale);
  return (
    <details>
      <summary>{words('chart.table')}</summary>
      <div class={styles['scroll']} role="region" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words('chart.time')}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {at
              .map((second, row) => (
                <tr key={second}>
                  <th scope="row">{moment(second)}</th>
                  {series.map(({ name, counts, hrefs }) => (
                    <td key={name}>
                      {hrefs[row] && counts[row] ? (
                        <a href={hrefs[row]}>{numberOf(counts[row], number)}</a>
                      ) : (
                        numberOf(counts[row], number)
                      )}
                    </td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function numberOf(count: number | null | undefined, format: Intl.NumberFormat): string {
  return count === null || count === undefined ? '–' : format.format(count);
}
