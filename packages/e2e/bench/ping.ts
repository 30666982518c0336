import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { onInterrupt } from '@gatehouse/stack';
import { startCore } from './core.ts';
import { startCounterpart } from './counterpart.ts';
import { load, type Round, type Target } from './load.ts';

const HELP = `Measures Core's ping and bearer check against bare Express, on this machine and in one run.

  npm run bench -- [--rounds 5] [--seconds 1.5]

  --rounds   how often each is measured, in turn; the medians count (1 to 50)
  --seconds  how long each measurement takes (0.2 to 60)

It starts a throw-away system of its own and stops it. It judges nothing: the exit code is 1 for errors alone.
`;
const WARM_UP_SECONDS = 1.5;

/** Server and counterpart: whose requests are compared with whose. */
type Pair = [Target, Target];

const stopped = new AbortController();
onInterrupt(() => stopped.abort());
try {
  await bench(process.argv.slice(2));
} catch (error) {
  process.stderr.write(stopped.signal.aborted ? 'Stopped before the end.\n' : `✗ ${describe(error)}\n`);
  process.exitCode = 1;
}

async function bench(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return say(HELP);
  const { signal } = stopped;
  const undo: (() => unknown)[] = [];
  try {
    say('… starting bare Express, and Core with throw-away servers (20 s or so)');
    const bare = await startCounterpart();
    undo.push(bare.stop);
    const core = await startCore(signal);
    undo.push(core.stop);
    const pairs: Pair[] = [
      [core.ping, bare.post],
      [core.pingAuth, bare.hello],
    ];
    const rounds = await measure(pairs, options);
    say(table(pairs, rounds, options));
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** `undefined` when help is asked for. */
function readOptions(args: string[]): { rounds: number; seconds: number } | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes 1 to 50');
  if (!(seconds >= 0.2 && seconds <= 60)) throw new Error('--seconds takes 0.2 to 60');
  return { rounds, seconds };
}

/** Interleaved, so that what else the machine does meanwhile falls upon all of them alike. */
async function measure(
  pairs: readonly Pair[],
  options: { rounds: number; seconds: number },
): Promise<Map<Target, Round[]>> {
  const found = new Map<Target, Round[]>(pairs.flat().map((target) => [target, []]));
  say('… warming up');
  for (const target of found.keys()) await load(target, WARM_UP_SECONDS, stopped.signal);
  for (let round = 1; round <= options.rounds; round++) {
    for (const [target, results] of found) results.push(await load(target, options.seconds, stopped.signal));
    const rates = [...found].map(
      ([{ name }, results]) => `${name} ${whole(results.at(-1)?.requestsPerSecond)}`,
    );
    say(`✓ round ${round} of ${options.rounds}, requests/s: ${rates.join(' · ')}`);
  }
  return found;
}

function table(
  pairs: readonly Pair[],
  rounds: ReadonlyMap<Target, Round[]>,
  options: { rounds: number; seconds: number },
): string {
  const line = (...cells: string[]): string =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(28) : cell.padStart(16))).join('');
  const medians = (target: Target) => {
    const results = rounds.get(target) ?? [];
    return {
      rate: median(results.map((round) => round.requestsPerSecond)),
      cpu: median(results.map((round) => round.cpuMicrosecondsPerRequest)),
    };
  };
  const rows = pairs.flatMap(([ours, counterpart]) => {
    const [mine, theirs] = [medians(ours), medians(counterpart)];
    const [rate, cpu] = ratios(rounds.get(ours) ?? [], rounds.get(counterpart) ?? []);
    return [
      line(counterpart.name, whole(theirs.rate), '1.00', theirs.cpu.toFixed(1), '1.00'),
      line(ours.name, whole(mine.rate), rate.toFixed(2), mine.cpu.toFixed(1), cpu.toFixed(2)),
    ];
  });
  const [processor] = cpus();
  return [
    '',
    line('', 'requests/s', 'ratio', 'CPU µs/request', 'per CPU second'),
    ...rows,
    '',
    `Medians of ${options.rounds} rounds of ${options.seconds} s, 32 connections, one process each, 200 sessions in turn.`,
    `${availableParallelism()} cores of ${processor?.model ?? 'an unknown processor'}, Node ${process.versions.node}. Read the ratios: the rates are this machine's.`,
    '',
  ].join('\n');
}

/** Medians of how many times as many requests, a second and a CPU second, one of two made in each round. */
function ratios(ours: Round[], theirs: Round[]): [number, number] {
  const each = (ratio: (mine: Round, other: Round) => number): number =>
    median(ours.flatMap((mine, index) => (theirs[index] ? [ratio(mine, theirs[index])] : [])));
  return [
    each((mine, other) => mine.requestsPerSecond / other.requestsPerSecond),
    each((mine, other) => other.cpuMicrosecondsPerRequest / mine.cpuMicrosecondsPerRequest),
  ];
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function whole(value = 0): string {
  return Math.round(value).toLocaleString('en');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
