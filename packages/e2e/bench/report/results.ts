import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { Figure } from '../row.ts';

/** A figure with where and when it was measured. */
export interface Recorded extends Figure {
  row: string;
  at: string;
  /** The version of Node. */
  node: string;
}

/** Where figures were measured. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGibibytes: number;
  system: string;
}

/** What docs/benchmarks/results.json holds. */
export interface Results {
  machine: Machine;
  figures: Recorded[];
}

export const RESULTS_FILE = new URL('../../../../docs/benchmarks/results.json', import.meta.url);

/** What was recorded. */
export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results; // written by `record` alone
}

/** This machine. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'an unknown processor',
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
  };
}

/** The Node version that figures are recorded with, as in the images, and the one for comparison. */
export const [REFERENCE, COMPARISON] = [24, 22] as const;

/** Those of one Node, by its major version. */
export function ofNode(figures: readonly Recorded[], major: number): Recorded[] {
  return figures.filter(({ node }) => majorOf(node) === major);
}

/** Those to be shown: of the reference, or before there are any of the Node that was recorded with last. */
export function shownFigures(figures: readonly Recorded[]): Recorded[] {
  const ofReference = ofNode(figures, REFERENCE);
  if (ofReference.length > 0) return ofReference;
  const latest = figures.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1);
  return latest === undefined ? [] : ofNode(figures, majorOf(latest.node));
}

export function majorOf(node: string): number {
  return Number.parseInt(node, 10);
}

export function isMet({ value, bar }: Figure): boolean {
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

/** `2.61 ×` */
export function shown({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = unit === '×' || unit === 's' ? 2 : value < 100 && unit !== 'bytes' ? 1 : 0;
  return `${value.toFixed(digits)}${unit === '/s' ? '' : ' '}${unit}`;
}

/** `≥ 2.5 ×` */
export function barOf({ bar, unit }: Figure): string {
  const [sign, value] = 'atLeast' in bar ? ['≥', bar.atLeast] : ['≤', bar.atMost];
  return `${sign} ${value}${unit === '/s' ? '' : ' '}${unit}`;
}
