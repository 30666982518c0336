import type { System, SystemOptions } from './system/system.ts';

/** The measurements behind one argument of `npm run bench`. */
export interface Row {
  name: string;
  /** The main cost, and what was tried to reduce it. Shown if a bar is missed. */
  limits?: string;
  measure(bench: Bench): Promise<Figure[]>;
}

/** One number and the bar that it must reach. */
export interface Figure {
  /** Stable across runs: a new result replaces the recorded one with the same id. */
  id: string;
  title: string;
  value: number;
  /** `×` is a ratio of two values that were measured in turn. */
  unit: '×' | 'ms' | 's' | 'bytes' | 'MB' | '%' | '/s';
  bar: { atLeast: number } | { atMost: number };
  /** How the value was obtained, for example both sides of a ratio. */
  detail: string;
  /** The counterpart's CPU time per request, divided by ours. */
  cpuRatio?: number;
}

/** The tools of a row. */
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

export interface Sizes {
  rounds: number;
  seconds: number;
  /** The number of accounts and sessions in the row `million`. */
  sessions: number;
  mails: number;
  /** The number of active sessions in the row `redis-memory`. */
  copies: number;
}
