import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatted, pageData } from '../../ui/locale.ts';
import { words } from '../text.ts';
import styles from './chart.module.css';

interface Bars {
  /** When each bar begins, in seconds since the epoch. */
  at: readonly number[];
  series: readonly ChartSeries[];
  /** The length of each bar; days are UTC days. */
  step: 'hour' | 'day';
}

type ChartProps = Bars & { title: string };

/** Counts over time, as stacked bars and as a table below. Both link to the lists of the counted objects. */
export function Chart({ title, at, series, step }: ChartProps) {
  const { route } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([at, series, step]);
  useEffect(() => {
    if (box.current === null) return undefined;
    return drawBars(box.current, { at, series, step }, route);
    // `drawn` compares the data by value: an equal answer, fetched again, does not redraw the chart.
  }, [drawn]);
  return (
    <figure class={styles['chart']}>
      <figcaption>{title}</figcaption>
      <Legend series={series} />
      <div ref={box} aria-hidden="true" class={styles['plot']} />
      <ChartTable title={title} at={at} series={series} step={step} />
    </figure>
  );
}

function Legend({ series }: Pick<Bars, 'series'>) {
  return (
    <ul class={styles['legend']}>
      {series.map(({ name, hue, counts }) => {
        const total = counts.reduce((sum, count) => sum + count, 0);
        if (total === 0) return null;
        return (
          <li key={name} class={styles[hue]}>
            {name} <strong>{formatted(total)}</strong>
          </li>
        );
      })}
    </ul>
  );
}

function ChartTable({ title, at, series, step }: ChartProps) {
  const moment = formatOf(step, true);
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
                      {counts[row] && hrefs[row] ? <a href={hrefs[row]}>{formatted(counts[row])}</a> : 0}
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

/** The colour of a series. The same kind of object has the same colour on every screen. */
export type Hue = 'accent' | 'success' | 'warning' | 'danger' | 'quiet';

export interface ChartSeries {
  name: string;
  hue: Hue;
  /** One for each bar, and the address of the list of the counted objects. */
  counts: readonly number[];
  hrefs: readonly string[];
}

const HEIGHT = 180;
const SECONDS = { hour: 3_600, day: 86_400 };

/**
 * Draws bars that fill the width of a box, and redraws them when the theme changes. `onBar` is called when part of a bar is
 * clicked, with the address of the list behind it. Returns a cleanup function.
 */
function drawBars(box: HTMLElement, bars: Bars, onBar: (address: string) => void): () => void {
  const plot = new uPlot(optionsOf(box, bars), [[...bars.at], ...stacked(bars.series)], box);
  const redraw = (): void => plot.redraw();
  const click = (): void => {
    const address = addressUnder(plot, bars);
    if (address !== undefined) onBar(address);
  };
  const move = (): void => {
    box.style.cursor = addressUnder(plot, bars) === undefined ? '' : 'pointer';
  };
  const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  watcher.observe(box);
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const listening = new AbortController();
  const { signal } = listening;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal });
  box.addEventListener('click', click, { signal });
  box.addEventListener('mousemove', move, { signal });
  return () => {
    watcher.disconnect();
    themes.disconnect();
    listening.abort();
    plot.destroy();
  };
}

/** The list behind the part of the bar under the pointer. Above the bar, its highest part counts. */
function addressUnder(plot: uPlot, { series }: Bars): string | undefined {
  const bar = plot.cursor.idx ?? -1;
  const height = plot.posToVal(plot.cursor.top ?? 0, 'y');
  let top = 0;
  let under: ChartSeries | undefined;
  for (const part of series) {
    const count = part.counts[bar] ?? 0;
    if (count > 0 && top <= height) under = part;
    top += count;
  }
  return under?.hrefs[bar];
}

/** Stacks each series on the previous ones. The highest is drawn first: the next ones then cover its lower part. */
function stacked(series: readonly ChartSeries[]): number[][] {
  const tops: number[][] = [];
  for (const { counts } of series) {
    const below = tops.at(-1);
    tops.push(counts.map((count, at) => count + (below?.[at] ?? 0)));
  }
  return tops.toReversed();
}

function optionsOf(box: HTMLElement, { at, series, step }: Bars): uPlot.Options {
  // A function, which is called at each drawing: the theme may have changed.
  const colour = (name: string) => () => getComputedStyle(box).getPropertyValue(name);
  const grid = { stroke: colour('--chart-line'), width: 1 };
  const axis = { stroke: colour('--chart-text'), ticks: { show: false } };
  const half = SECONDS[step] / 2;
  const format = formatOf(step, false);
  const bars = uPlot.paths.bars?.({ size: [0.7, 32], radius: 0.1 });
  return {
    width: box.clientWidth,
    height: HEIGHT,
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { range: () => [(at[0] ?? 0) - half, (at.at(-1) ?? 0) + half] },
      y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] },
    },
    axes: [
      { ...axis, size: 28, grid: { show: false }, values: (_, moments) => moments.map(format) },
      { ...axis, grid, incrs: WHOLE, values: (_, counts) => counts.map((count) => formatted(count)) },
    ],
    tzDate: (second) =>
      step === 'day' ? uPlot.tzDate(new Date(second * 1000), 'Etc/UTC') : new Date(second * 1000),
    legend: { show: false },
    series: [
      {},
      ...series.toReversed().map(({ name, hue }) => ({
        label: name,
        fill: colour(`--chart-${hue}`),
        width: 0,
        ...(bars && { paths: bars }),
        points: { show: false },
      })),
    ],
  };
}

/** The possible grid steps: whole numbers only, because counts have no fractions. */
const WHOLE = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** Returns a function that formats when a bar begins; days are UTC days. */
function formatOf(step: 'hour' | 'day', long: boolean): (second: number) => string {
  const date = long ? ({ dateStyle: 'medium' } as const) : ({ day: 'numeric', month: 'short' } as const);
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const full = { day: 'numeric', month: 'short', ...time } as const;
  const hours = long ? full : time;
  const shown = step === 'hour' ? hours : ({ ...date, timeZone: 'UTC' } as const);
  const format = new Intl.DateTimeFormat(pageData.Locale, shown);
  return (second) => format.format(second * 1000);
}
