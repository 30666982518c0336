import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import { usePageData } from '../../ui/page-data.ts';
import { useWords } from '../text.ts';
import styles from './chart.module.css';

interface ChartProps {
  title: string;
  /** Moments in seconds since the epoch. */
  at: readonly number[];
  /** What was counted; `null` where nothing is known. */
  series: readonly { name: string; hue: Hue; counts: readonly (number | null)[] }[];
}

/** One hue for one thing on every screen. */
export type Hue = 'accent' | 'success' | 'warning' | 'danger' | 'quiet';

const HEIGHT = 200;

/** Numbers over time as bars from zero, and as a table beneath. */
export function Chart({ title, at, series }: ChartProps) {
  const words = useWords();
  const { Locale } = usePageData();
  const box = useRef<HTMLDivElement>(null);
  const moment = new Intl.DateTimeFormat(Locale, { dateStyle: 'short', timeStyle: 'short' });
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const plot = new uPlot(
      optionsOf(current, series),
      [[...at], ...series.map(({ counts }) => [...counts])],
      current,
    );
    const watcher = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }));
    watcher.observe(current);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [at, series]);
  return (
    <figure class={styles['chart']}>
      <figcaption>{title}</figcaption>
      <div ref={box} aria-hidden="true" />
      <details>
        <summary>{words('chart.table')}</summary>
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
            {at.map((second, row) => (
              <tr key={second}>
                <th scope="row">{moment.format(second * 1000)}</th>
                {series.map(({ name, counts }) => (
                  <td key={name}>{counts[row] ?? '–'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function optionsOf(box: HTMLElement, series: ChartProps['series']): uPlot.Options {
  const colour = (name: string): string => getComputedStyle(box).getPropertyValue(name);
  const axis = { stroke: colour('--chart-text'), grid: { stroke: colour('--chart-line'), width: 1 } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 40] });
  return {
    width: box.clientWidth,
    height: HEIGHT,
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most)] } },
    axes: [axis, axis],
    legend: { show: series.length > 1 },
    series: [
      {},
      ...series.map(({ name, hue }) => ({
        label: name,
        fill: colour(`--chart-${hue}`),
        stroke: colour(`--chart-${hue}`),
        ...(bars && { paths: bars }),
        points: { show: false },
      })),
    ],
  };
}
