import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { Figure } from '../row.ts';

/** A figure with the place and time of its measurement. */
export interface Recorded extends Figure {
  row: string;
  at: string;
  /** The version of Node. */
  node: string;
}

/** The machine on which figures were measured. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGibibytes: number;
  system: string;
}

/** The contents of docs/benchmarks/results.json. */
export interface Results {
  machine: Machine;
  figures: Recorded[];
}

export const RESULTS_FILE = new URL('../../../../docs/benchmarks/results.json', import.meta.url);

/** Reads the recorded results. */
export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results; // only `record` writes it
}

export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'an unknown processor',
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
  };
}

/** The Node version that figures are recorded with, which is that of the images, and the one to compare with. */
export const [REFERENCE, COMPARISON] = [24, 26] as const;

/** The figures of one major version of Node. */
export function ofNode(figures: readonly Recorded[], major: number): Recorded[] {
  return figures.filter(({ node }) => majorOf(node) === major);
}

/**
 * The figures to show: those of the reference version. If there are none, those of the version that was recorded last.
 */
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

/** Ours and its counterpart, of a title that names both. */
export function pairOf({ title }: Pick<Figure, 'title'>): [ours: string, theirs: string] {
  const [ours = title, theirs = ''] = title.split(' : ');
  return [ours, theirs];
}

/** Whether it says how often as fast as a counterpart we are. */
export function isComparison(figure: Figure): boolean {
  return 'atLeast' in figure.bar && pairOf(figure)[1] !== '';
}

/** `2.61 ×` */
export function shown({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = ['×', 's', '%'].includes(unit) ? 2 : value < 100 && unit !== 'bytes' ? 1 : 0;
  return `${value.toFixed(digits)}${unit === '/s' ? '' : ' '}${unit}`;
}

/** `≥ 2.5 ×` */
export function barOf({ bar, unit }: Figure): string {
  const [sign, value] = 'atLeast' in bar ? ['≥', bar.atLeast] : ['≤', bar.atMost];
  return `${sign} ${value}${unit === '/s' ? '' : ' '}${unit}`;
}
