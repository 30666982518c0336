import { parseArgs } from 'node:util';
import type { Row, Sizes } from './row.ts';

export interface Options {
  rows: Row[];
  sizes: Sizes;
  isRecorded: boolean;
}

/** By name: the default, the minimum and the maximum. */
const SIZES = {
  rounds: [5, 1, 50],
  seconds: [1.5, 0.2, 60],
  sessions: [1_000_000, 2000, 10_000_000],
  mails: [10_000, 100, 1_000_000],
  erasures: [5000, 500, 100_000],
  imports: [100_000, 1000, 1_000_000],
  copies: [100_000, 1000, 10_000_000],
  streams: [5000, 500, 20_000],
  soak: [600, 10, 86_400],
} as const;

export const HELP = `Measures Gatehouse against comparable servers, on this machine and in one run.

  npm run bench -- [row …] [--record] [options]

  ping            POST /account/ping, compared with a JSON POST to bare Express
  ping-auth       GET /ping/auth (the bearer token check), compared with a bare Express route
  session-check   GET /ping/auth, compared with better-auth's session check, with Redis and with its cookie cache
  refresh         POST /account/refresh-token over 1,000 sessions, compared with bare Express and one UPDATE … RETURNING
  login           logins at bcrypt cost 10, compared with hashing alone on all cores
  argon2id        logins with PASSWORD_HASH=argon2id, compared with bcrypt at cost 10
  flood           p99 of pings while logins arrive at twice the capacity, compared with pings alone
  fair-logins     logins of others while logins from one address arrive at twice the capacity
  first-logins    pings and memory of Core during 1,000 first logins with imported argon2id hashes of 64 MiB
  redis-memory    Redis memory per active session
  mail            mails per second from the outbox to a mail server with one worker, and the latency of one mail when idle
  erasures        erasures per second next to logins at full load, and those logins compared with logins alone
  import          accounts per second of npm run import, with passwords of all formats that are stored without hashing
  two-processes   pings with two Core processes, compared with one
  streams         event streams through the gateway to two processes: the time from an end of a session to its event, and memory
  million         each call with 1,000,000 accounts and sessions, compared with 1,000 (minutes)
  cold-start      time to readiness of a service, and of npm start with everything installed
  soak            memory of Core after --soak seconds at full load, compared with a tenth of that time
  admin-list      lists of a million sessions, accounts, changes and mails (separate; see npm run bench -- admin-list --help)

  --rounds 5          measurements of each side, alternating; the median counts
  --seconds 1.5       duration of each measurement
  --sessions 1000000  accounts and sessions of the row million
  --mails 10000       mails of the row mail
  --erasures 5000     accounts erased by the row erasures
  --imports 100000    accounts of the row import
  --copies 100000     active sessions of the row redis-memory
  --streams 5000      open event streams of the row streams
  --soak 600          seconds of the row soak, which runs only if this option or the row is given
  --record            writes the results to docs/benchmarks, replacing earlier ones and those of other machines

Without names, runs every row except soak, against a temporary system that is stopped at the end. Exits with 1
after an error, and still runs the remaining rows; a missed target does not change the exit code.
`;

/**
 * Returns `undefined` if help is requested.
 *
 * @throws {Error} naming the argument that is not understood.
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
      erasures: { type: 'string' },
      imports: { type: 'string' },
      copies: { type: 'string' },
      streams: { type: 'string' },
      soak: { type: 'string' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown row ${unknown.join(', ')}; the rows are ${rows.map(({ name }) => name).join(', ')}`,
    );
  }
  const size = (name: keyof typeof SIZES): number => {
    const [standard, least, most] = SIZES[name];
    const value = Number(values[name] ?? standard);
    const isWhole = name === 'seconds' || Number.isInteger(value);
    if (!isWhole || !(value >= least && value <= most))
      throw new Error(`--${name} must be ${least} to ${most}`);
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
      erasures: size('erasures'),
      imports: size('imports'),
      copies: size('copies'),
      streams: size('streams'),
      soakSeconds: size('soak'),
    },
  };
}
