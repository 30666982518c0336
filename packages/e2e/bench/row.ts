import type { System, SystemOptions } from './system/system.ts';
import type { startBareExpress } from './counterparts/counterpart.ts';

/** What is measured by one word of `npm run bench`. */
export interface Row {
  name: string;
  /** What it compares, for `--help`. */
  about: string;
  /** Minutes: only where it is asked for. */
  isOptional?: boolean;
  /** Where the cost lies and what was tried against it; shown when a bar is missed. */
  limits?: string;
  measure(bench: Bench): Promise<Figure[]>;
}

/** One number and what is asked of it. */
export interface Figure {
  /** The same in every run, so that a new one takes the place of the recorded one. */
  id: string;
  title: string;
  value: number;
  /** `×` is a ratio of two things that were measured in turn. */
  unit: '×' | 'ms' | 's' | 'bytes' | '/s';
  bar: { atLeast: number } | { atMost: number };
  /** How it came about: the two sides of a ratio, say. */
  detail: string;
  /** How many times less CPU time than its counterpart's a request took. */
  cpuRatio?: number;
}

/** What rows work with. */
export interface Bench {
  signal: AbortSignal;
  sizes: Sizes;
  say(text: string): void;
  /** The system that rows share, at the production cost of a password, started when it is first asked for. */
  system(): Promise<System>;
  /** One of the row's own; it ends with the row. */
  ownSystem(options: Omit<SystemOptions, 'signal'>): Promise<System>;
  /** Shared, too. */
  bareExpress(): ReturnType<typeof startBareExpress>;
  /** To be done when the row has ended, last things first. */
  onEnd(step: () => unknown): void;
}

export interface Sizes {
  rounds: number;
  seconds: number;
  /** Accounts and sessions of the row `million`. */
  sessions: number;
  mails: number;
  erasures: number;
  /** Live sessions of the row `redis-memory`. */
  copies: number;
  /** Open streams of the row `streams`. */
  streams: number;
  soakSeconds: number;
}
