import type { System, SystemOptions } from './system.ts';

/** The measurements behind one argument of `npm run bench`. */
export interface Row {
  name: string;
  measure(bench: Bench): Promise<Figure[]>;
}

export interface Figure {
  /** Stable across runs: a new result replaces the recorded one with the same id. */
  id: string;
  title: string;
  /** The counterpart, if the value says how many requests we answer while it answers one. */
  against?: string;
  value: number;
  /** `×` is a ratio of two values that were measured in turn. */
  unit: '×' | 'ms' | 's' | 'bytes' | 'MB' | '%' | '/s';
  /** How the value was obtained, for example both sides of a ratio. */
  detail: string;
  /** The counterpart's CPU time per request, divided by ours. */
  cpuRatio?: number;
}

/** The default sizes of measurements (see HELP). */
export const SIZES = { rounds: 5, seconds: 1.5, sessions: 1_000_000, mails: 10_000, copies: 100_000 };
export type Sizes = typeof SIZES;

export interface Bench {
  signal: AbortSignal;
  sizes: Sizes;
  say(text: string): void;
  /** The system that rows share, with the production cost of a password hash. Started on first use. */
  system(): Promise<System>;
  /** A system for this row alone. It is stopped at the end of the row. */
  ownSystem(options: Omit<SystemOptions, 'signal'>): Promise<System>;
  /** Registers a step for the end of the row. The last registered step runs first. */
  onEnd(step: () => unknown): void;
}
