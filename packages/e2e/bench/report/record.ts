import { mkdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'prettier';
import { chart } from './chart.ts';
import {
  barOf,
  COMPARISON,
  isMet,
  machine,
  majorOf,
  ofNode,
  readResults,
  REFERENCE,
  RESULTS_FILE,
  shown,
  shownFigures,
  type Recorded,
  type Results,
} from './results.ts';
import { ROWS } from '../rows/index.ts';

const OPTIONS = { printWidth: 110, singleQuote: true };

/**
 * Replaces the recorded figures with the same id and major version of Node. Removes figures that were measured on
 * another machine, or with a Node version that is neither this one nor shown. Returns the names of the files that it
 * wrote in docs/benchmarks.
 */
export async function record(figures: readonly Recorded[]): Promise<string[]> {
  const earlier = readResults();
  const isHere = isDeepStrictEqual(earlier.machine, machine());
  const keyOf = ({ id, node }: Recorded): string => `${id} ${majorOf(node)}`;
  const kept = new Set([REFERENCE, COMPARISON, majorOf(process.versions.node)]);
  const good = isHere ? earlier.figures.filter(({ node }) => kept.has(majorOf(node))) : [];
  const known = new Map([...good, ...figures].map((figure) => [keyOf(figure), figure]));
  const order = (figure: Recorded): number => ROWS.findIndex(({ name }) => name === figure.row);
  const all = [...known.values()].toSorted((one, other) => order(one) - order(other));
  const results: Results = { machine: machine(), figures: all };
  const files: Record<string, string> = {
    'results.json': await format(JSON.stringify(results), { ...OPTIONS, parser: 'json' }),
    'README.md': await format(page(results), { ...OPTIONS, parser: 'markdown' }),
    'chart.svg': chart(shownFigures(results.figures)),
  };
  mkdirSync(new URL('./', RESULTS_FILE), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, RESULTS_FILE), text);
  return Object.keys(files);
}

function page({ machine: { cores, processor, memoryGibibytes, system }, figures: all }: Results): string {
  const figures = shownFigures(all);
  const comparison = new Map(ofNode(all, COMPARISON).map((figure) => [figure.id, shown(figure)]));
  const versions = [...new Set(figures.map(({ node }) => node))].join(' and ');
  const dates = figures.map(({ at }) => at.slice(0, 10)).toSorted();
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
  const rows = figures.map((figure) =>
    [
      `| ${figure.title}`,
      shown(figure),
      barOf(figure),
      isMet(figure) ? 'met' : '**missed**',
      figure.cpuRatio === undefined ? '' : `${figure.cpuRatio.toFixed(2)} ×`,
      comparison.get(figure.id) ?? '',
      `${figure.detail} |`,
    ].join(' | '),
  );
  const missed = ROWS.filter(({ name }) => figures.some((figure) => figure.row === name && !isMet(figure)));
  const limits = missed.map(({ name, limits: text = '' }) => `- **${name}**: ${text}`);
  return `# Benchmarks

<!-- Written by \`npm run bench -- --record\`; a change by hand does not last. -->

What Gatehouse takes, measured against counterparts that run on the same machine in the same minutes: bare Express, one
statement to Postgres, the hash of a password alone, and better-auth. Each figure has a bar that was set before it was
measured; those that are missed are here like the others.

![Each figure against its bar](chart.svg)

| figure | measured | bar | verdict | per CPU second | on Node ${COMPARISON} | how |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Measured ${first === last ? `on ${first}` : `from ${first} to ${last}`} with Node ${versions} on ${cores} cores of ${processor}, ${memoryGibibytes} GiB, ${system}.

${limits.length === 0 ? '' : `## What is missed, and why\n\n${limits.join('\n')}\n`}
## How to read them

- Ratios travel, rates do not: a ratio's two sides were measured in turn, many times over, and the median of the rounds'
  ratios counts. Where both sides are processes, "per CPU second" compares the CPU time that a request took.
- Requests go over loopback, without the gateway, from sockets that cost next to nothing, on the same cores as the
  servers: 32 connections, one request at a time on each, 200 sessions in turn (1,000 for refreshes), one process on
  either side.
- Bars are for Node ${REFERENCE}, which images have; \`npm run bench -- --record\` with Node ${COMPARISON} fills the column
  beside it. A bare Express is three times as fast on Node ${REFERENCE} as on Node 20, and Gatehouse is not: its ratios to it fall.
- Services run as the JavaScript that they are built to ([decision 30](../decisions/0030-built-ahead.md)).
- Everything else is as in production: every check of a session looks it up in Redis, pings mark it as seen, a refresh
  rotates the token in Postgres, each request has its line in the log.
- better-auth stands in Express with Postgres and with Redis as its secondary storage, asked by its own
  \`auth.api.getSession\`; with its cookie cache a session that was ended goes on until the cookie is renewed.

\`npm run bench -- --help\` names the rows and the options; \`packages/e2e/src/ratchet.system.test.ts\` fails the tests when
Core costs a third more than before, against a bare \`node:http\`.
`;
}
