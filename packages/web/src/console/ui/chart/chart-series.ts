/** The colour of a series. The same kind of object has the same colour on every screen. */
export type Hue = 'accent' | 'success' | 'warning' | 'danger' | 'quiet';

/** A series of a chart: one count for each bar, or `null` if it is unknown. */
export interface ChartSeries {
  name: string;
  hue: Hue;
  counts: readonly (number | null)[];
  /** The addresses of the lists of the counted objects, one for each bar. */
  hrefs: readonly string[];
}
