import { parseArgs } from 'node:util';
import type { Row, Sizes } from './row.ts';

export interface Options {
  rows: Row[];
  sizes: Sizes;
  isRecorded: boolean;
}

/** By its name: the default, the least and the most. */
const SIZES = {
  rounds: [5, 1, 50],
  seconds: [1.5, 0.2, 60],
  sessions: [1_000_000, 2000, 10_000_000],
  mails: [10_000, 100, 1_000_000],
  copies: [100_000, 1000, 10_000_000],
  soak: [600, 10, 86_400],
} as const;

export const HELP = `Measures Gatehouse against its counterparts, on this machine and in one run.

  npm run bench -- [row …] [--record] [options]

  ping            POST /account/ping against a POST of JSON to bare Express
  ping-auth       GET /ping/auth, the bearer check alone, against hello of bare Express
  session-check   GET /ping/auth against better-auth's session check, with Redis and with its cookie cache
  refresh         POST /account/refresh-token against bare Express with one UPDATE … RETURNING by pg, 1,000 sessions in turn
  login           logins at bcrypt cost 10 against what the hash alone allows on all cores
  flood           the p99 of pings during a flood of logins of twice the capacity, against their p99 alone
  redis-memory    what a live session takes of Redis
  mail            mails from the outbox to a mail server by one worker, and how long one takes when nothing else goes on
  two-processes   pings by two processes of Core against pings by one
  million         the cost of each call at 1,000,000 accounts and sessions against that at 1,000 (minutes)
  cold-start      from the start of a service to its readiness, and of npm start where everything is installed
  soak            the memory of Core after --soak seconds at full load, against that after a tenth of them
  admin-list      pages of a million sessions and accounts (another bench: npm run bench -- admin-list --help)

  --rounds 5          how often each thing is measured, in turn with its counterpart; the medians count
  --seconds 1.5       how long such a measurement takes
  --sessions 1000000  accounts and sessions of the row million
  --mails 10000       mails of the row mail
  --copies 100000     live sessions of the row redis-memory
  --soak 600          seconds of the row soak, which is measured only where this or its name is given
  --record            writes the figures to docs/benchmarks, in place of those of earlier runs and other machines

Without names it measures all of them but soak. It starts a throw-away system of its own and stops it. It judges
nothing: the exit code is 1 for errors alone, which are told of while the other rows go on.
`;

/**
 * `undefined` when help is asked for.
 *
 * @throws {Error} saying what is not understood.
 */
export function readOptions(args: string[], rows: readonly Row[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      sessions: { type: 'string' },
      mails: { type: 'string' },
      copies: { type: 'string' },
      soak: { type: 'string' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no row ${unknown.join(', ')}; there are ${rows.map(({ name }) => name).join(', ')}`,
    );
  }
  const size = (name: keyof typeof SIZES): number => {
    const [standard, least, most] = SIZES[name];
    const value = Number(values[name] ?? standard);
    const isWhole = name === 'seconds' || Number.isInteger(value);
    if (!isWhole || !(value >= least && value <= most))
      throw new Error(`--${name} takes ${least} to ${most}`);
    return value;
  };
  const wanted = (row: Row): boolean =>
    positionals.includes(row.name) ||
    (row.isOptional === true ? values.soak !== undefined : positionals.length === 0);
  return {
    rows: rows.filter(wanted),
    isRecorded: values.record,
    sizes: {
      rounds: size('rounds'),
      seconds: size('seconds'),
      sessions: size('sessions'),
      mails: size('mails'),
      copies: size('copies'),
      soakSeconds: size('soak'),
    },
  };
}
