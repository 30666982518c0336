import type { Seen } from './load.ts';

/** The measurements of each fault. */
export interface Report {
  add(fault: string, measured: { seen: Seen; recoveryMs: number }): void;
  /** Adds a line below the table. */
  say(line: string): void;
  /** Prints the report. */
  print(): void;
}

const HEADINGS = [
  'fault',
  'answers',
  '503',
  'broken',
  'slowest',
  '/ping p50',
  '/ping max',
  'inside',
  'recovery',
];

export function createReport(title: string): Report {
  const rows: string[][] = [];
  const remarks: string[] = [];
  return {
    add: (fault, { seen, recoveryMs }) => {
      const pings = seen.pings.toSorted((one, other) => one - other);
      const count = (status: number): string =>
        String(seen.outcomes.filter((outcome) => outcome.status === status).length);
      rows.push([
        fault,
        String(seen.outcomes.length),
        count(503),
        count(0),
        inMs(Math.max(...seen.outcomes.map(({ milliseconds }) => milliseconds))),
        inMs(pings[Math.floor(pings.length / 2)]),
        inMs(pings.at(-1)),
        inMs(seen.slowestInside),
        inMs(recoveryMs),
      ]);
    },
    say: (line) => void remarks.push(line),
    print: () => {
      const widths = HEADINGS.map((heading, column) =>
        Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
      );
      const line = (cells: string[]): string =>
        cells
          .map((cell, column) =>
            column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
          )
          .join('  ');
      const lines = [title, ...[HEADINGS, ...rows].map(line), ...remarks];
      process.stdout.write(`\n${lines.join('\n')}\n\n`);
    },
  };
}

function inMs(value = 0): string {
  return Number.isFinite(value) ? `${Math.round(value)} ms` : '–';
}
