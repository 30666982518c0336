import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'prettier';
import type { Figure, Row } from './row.ts';

export interface Recorded extends Figure {
  row: string;
  at: string;
  node: string;
}

/** The contents of docs/benchmarks/results.json. */
interface Results {
  machine: ReturnType<typeof machine>;
  figures: Recorded[];
}

const FOLDER = new URL('../../../docs/benchmarks/', import.meta.url);

export function machine() {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'an unknown processor',
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
  };
}

/** The major versions of Node whose figures the page shows: all of the first, and beside it those of the second. */
const [REFERENCE, COMPARISON] = ['24', '26'];

const majorOf = ({ node }: Recorded): string => node.split('.')[0] ?? '';

/** Replaces the figures of the same id and Node, and removes those of rows that are gone or of another machine. */
export async function record(figures: readonly Recorded[], rows: readonly Row[]): Promise<void> {
  const files = { results: new URL('results.json', FOLDER), page: new URL('README.md', FOLDER) };
  const earlier = JSON.parse(readFileSync(files.results, 'utf8')) as Results; // only this writes it
  const kept = isDeepStrictEqual(earlier.machine, machine()) ? earlier.figures : [];
  const known = new Map([...kept, ...figures].map((figure) => [`${figure.id} ${majorOf(figure)}`, figure]));
  const all = rows.flatMap(({ name }) => [...known.values()].filter(({ row }) => row === name));
  const results = { machine: machine(), figures: all };
  writeFileSync(files.results, await format(JSON.stringify(results), { parser: 'json', printWidth: 110 }));
  const page = readFileSync(files.page, 'utf8').replace(FIGURES, () => `\n${tables(results)}\n`);
  writeFileSync(files.page, await format(page, { parser: 'markdown', printWidth: 100, proseWrap: 'always' }));
}

const FIGURES = /(?<=<!-- figures -->\n)[^]*(?=<!-- \/figures -->)/;

/** `2.61 ×` */
export function shown({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = ['×', 's', '%'].includes(unit) ? 2 : value < 100 && unit !== 'bytes' ? 1 : 0;
  return `${value.toFixed(digits)}${unit === '/s' ? '' : ' '}${unit}`;
}

function tables({ machine: { cores, processor, memoryGibibytes, system }, figures: all }: Results): string {
  const figures = all.filter((figure) => majorOf(figure) === REFERENCE);
  const newer = new Map(all.filter((one) => majorOf(one) === COMPARISON).map((one) => [one.id, shown(one)]));
  const table = (lines: readonly string[][]) => lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const compared = figures.flatMap((figure) => {
    const { id, title, against, cpuRatio, detail } = figure;
    const perSecond = cpuRatio === undefined ? '' : `${cpuRatio.toFixed(2)} ×`;
    const cells = [`**${shown(figure)}**`, perSecond, newer.get(id) ?? '', detail];
    return against === undefined ? [] : [[title, against, ...cells]];
  });
  const alone = figures
    .filter(({ against }) => against === undefined)
    .map((figure) => [figure.title, shown(figure), figure.detail]);
  const dates = [...new Set(figures.map(({ at }) => at.slice(0, 10)))].toSorted();
  const versions = [...new Set(figures.map(({ node }) => node))].join(' and ');
  return `| Gatehouse | counterpart | requests | per CPU second | on Node ${COMPARISON} | rates |
| --- | --- | --- | --- | --- | --- |
${table(compared)}

On its own:

| figure | measured | details |
| --- | --- | --- |
${table(alone)}

Measured on ${dates.join(' and ')} with Node ${versions} on ${cores} cores of ${processor}, ${memoryGibibytes} GiB, ${system}.
`;
}
