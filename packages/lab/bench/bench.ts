/** `npm run bench`: measures the rows of the table. */
import { onInterrupt } from '@gatehouse/dev';
import { HELP, readOptions, type Options } from './options.ts';
import { record } from './report/record.ts';
import type { Figure, Row } from './row.ts';
import { ROWS } from './rows/index.ts';
import { openBench } from './open-bench.ts';
import { barOf, isMet, machine, shown, type Recorded } from './report/results.ts';

const stopped = new AbortController();
onInterrupt(() => stopped.abort());
try {
  await bench(process.argv.slice(2));
} catch (error) {
  process.stderr.write(stopped.signal.aborted ? 'Stopped before the end.\n' : `✗ ${describe(error)}\n`);
  process.exitCode = 1;
}

async function bench(args: string[]): Promise<void> {
  const options = readOptions(args, ROWS);
  if (options === undefined) return say(HELP);
  const found = await measureAll(options);
  if (found.length === 0) return;
  const { cores, processor } = machine();
  const { node } = process.versions;
  const lines = found.map((figure) =>
    [
      isMet(figure) ? '✓' : '✗',
      shown(figure).padStart(12),
      barOf(figure).padStart(14),
      ` ${figure.title}`,
    ].join(' '),
  );
  say(['', `${cores} cores of ${processor}, Node ${node}`, ...lines, ''].join('\n'));
  if (options.isRecorded) say(`✓ recorded in ${(await record(found)).join(', ')}`);
}

/** A row that fails is reported, and the other rows are still measured. */
async function measureAll({ rows, sizes }: Options): Promise<Recorded[]> {
  const { signal } = stopped;
  const opened = openBench({ signal, sizes, say });
  const found: Recorded[] = [];
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const began = performance.now();
      say(`… ${row.name}`);
      const figures = await measure(row, opened);
      for (const { detail } of figures) say(`  ${detail}`);
      const facts = { row: row.name, at: new Date().toISOString(), node: process.versions.node };
      found.push(...figures.map((figure) => ({ ...figure, ...facts })));
      say(`  took ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
  } finally {
    await opened.close();
  }
  return found;
}

async function measure(row: Row, opened: ReturnType<typeof openBench>): Promise<Figure[]> {
  try {
    return await row.measure(opened.bench);
  } catch (error) {
    stopped.signal.throwIfAborted();
    process.stderr.write(`✗ ${row.name}: ${describe(error)}\n`);
    process.exitCode = 1;
    return [];
  } finally {
    await opened.endRow();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
