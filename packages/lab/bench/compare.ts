import { load, type Pace, type Round, type Target } from './load.ts';
import type { Bench, Figure } from './row.ts';

const WARM_UP_SECONDS = 1.5;

type Sized = Pick<Bench, 'signal' | 'say'> & { sizes: Pick<Bench['sizes'], 'rounds' | 'seconds'> };

/** Measures all targets in turn, so that other work on the machine affects all of them equally. */
export async function inTurn(bench: Sized, targets: readonly Target[], pace?: Pace) {
  const { rounds, seconds } = bench.sizes;
  const found = new Map<Target, Round[]>(targets.map((target) => [target, []]));
  for (const target of targets)
    await load(target, Math.min(WARM_UP_SECONDS, 2 * seconds), bench.signal, pace);
  for (let round = 0; round < rounds; round++) {
    for (const [target, results] of found) results.push(await load(target, seconds, bench.signal, pace));
  }
  for (const [{ name }, results] of found) {
    const { rate, cpu, p50, p99 } = mediansOf(results);
    bench.say(
      `  ${name.padEnd(50)} ${whole(rate).padStart(8)}/s  ${cpu.toFixed(0).padStart(6)} µs of CPU  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`,
    );
  }
  return found;
}

export interface Pair {
  id: string;
  ours: Target;
  theirs: Target;
}

/** The medians of two ratios of ours to theirs: requests per second, and requests per CPU second. */
export async function compare(bench: Sized, { id, ours, theirs }: Pair) {
  const found = await inTurn(bench, [theirs, ours]);
  const [mine, others] = [found.get(ours) ?? [], found.get(theirs) ?? []];
  const each = (ratio: (one: Round, other: Round) => number) =>
    median(mine.flatMap((round, at) => (others[at] === undefined ? [] : [ratio(round, others[at])])));
  const [a, b] = [mediansOf(mine), mediansOf(others)];
  return {
    ...{ id, title: ours.name, against: theirs.name },
    value: each((one, other) => one.requestsPerSecond / other.requestsPerSecond),
    unit: '×',
    detail: `${whole(a.rate)}/s and ${a.cpu.toFixed(0)} µs of CPU per request; counterpart ${whole(b.rate)}/s and ${b.cpu.toFixed(0)} µs`,
    cpuRatio: each((one, other) => other.cpuMicrosecondsPerRequest / one.cpuMicrosecondsPerRequest),
  } satisfies Figure;
}

export function mediansOf(rounds: readonly Round[]) {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  return {
    rate: of((round) => round.requestsPerSecond),
    cpu: of((round) => round.cpuMicrosecondsPerRequest),
    p50: of((round) => round.p50Milliseconds),
    p99: of((round) => round.p99Milliseconds),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
