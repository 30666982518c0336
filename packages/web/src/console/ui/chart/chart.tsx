import 'uplot/dist/uPlot.min.css';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { usePageData } from '../../../ui/api/page-data.ts';
import { useWords } from '../../text.ts';
import styles from './chart.module.css';
import type { ChartSeries } from './chart-series.ts';
import { ChartTable } from './chart-table.tsx';
import { drawBars } from './draw-bars.ts';

interface ChartProps {
  title: string;
  /** When each bar begins, in seconds since the epoch. */
  at: readonly number[];
  series: readonly ChartSeries[];
  /** The length of each bar; days are UTC days. */
  step: 'hour' | 'day';
}

/** Counts over time, as stacked bars and as a table below. Both link to the lists of the counted objects. */
export function Chart({ title, at, series, step }: ChartProps) {
  const words = useWords();
  const { Locale } = usePageData();
  const { route } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([at, series, step, Locale]);
  useEffect(() => {
    if (box.current === null) return undefined;
    return drawBars(box.current, {
      at,
      series,
      step,
      locale: Locale,
      onBar: route,
    });
    // `drawn` compares the data by value: an equal answer, fetched again, does not redraw the chart.
  }, [drawn]);
  const isEmpty = series.every(({ counts }) => counts.every((count) => !count));
  return (
    <figure class={styles['chart']}>
      <figcaption>{title}</figcaption>
      {isEmpty && <p class={styles['none']}>{words('chart.none')}</p>}
      {!isEmpty && <Legend series={series} />}
      <div ref={box} aria-hidden="true" hidden={isEmpty} class={styles['plot']} />
      {!isEmpty && <ChartTable title={title} at={at} series={series} step={step} />}
    </figure>
  );
}

/** The name, colour and total of each series. */
function Legend({ series }: { series: readonly ChartSeries[] }) {
  const { Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (
    <ul class={styles['legend']}>
      {series.map(({ name, hue, counts }) => (
        <li key={name} class={styles[hue]}>
          {name}{' '}
          <strong>{number.format(counts.reduce<number>((sum, count) => sum + (count ?? 0), 0))}</strong>
        </li>
      ))}
    </ul>
  );
}
