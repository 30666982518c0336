/** One hue for one thing on every screen. */
export type Hue = 'accent' | 'success' | 'warning' | 'danger' | 'quiet';

/** What was counted, by the moments of its chart; `null` where nothing is known. */
export interface ChartSeries {
  name: string;
  hue: Hue;
  counts: readonly (number | null)[];
  /** The list of what it counts from a moment on, in seconds since the epoch. */
  hrefOf?: (second: number) => string;
}
