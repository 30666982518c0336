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
  copies: [100_000, 1000, 10_000_000],
} as const satisfies Record<keyof Sizes, readonly [number, number, number]>;

export const HELP = `Measures Gatehouse against comparable servers, on this machine and in one run.

  npm run bench -- [row …] [--record] [options]

  ping            POST /account/ping and GET /ping/auth, compared with the same written by hand
  session-check   GET /ping/auth, compared with better-auth's session check, with Redis and with its cookie cache
  refresh         POST /account/refresh-token over 1,000 sessions, compared with bare Express and one UPDATE … RETURNING
  applications    introspection, refresh and client credentials of applications, compared with oidc-provider and Redis
  login           logins at bcrypt cost 10, compared with hashing alone on all cores
  flood           p99 of pings while logins arrive at twice the capacity, compared with pings alone
  fair-logins     logins of others while logins from one address arrive at twice the capacity
  redis-memory    Redis memory per active session
  mail            mails per second from the outbox to a mail server with one worker, and the latency of one mail when idle
  idle            CPU and memory of each service when nobody sends requests
  million         each call with 1,000,000 accounts and sessions, compared with 1,000 (minutes)
  cold-start      time to readiness of a service, and of npm start with everything installed

  --rounds 5          measurements of each side, alternating; the median counts
  --seconds 1.5       duration of each measurement
  --sessions 1000000  accounts and sessions of the row million
  --mails 10000       mails of the row mail
  --copies 100000     active sessions of the row redis-memory
  --record            writes the results to docs/benchmarks, replacing earlier ones and those of other machines

Without names, runs every row against a temporary system that is stopped at the end. Exits with 1
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
      copies: { type: 'string' },
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
  const size = (name: keyof Sizes): number => {
    const [standard, least, most] = SIZES[name];
    const value = Number(values[name] ?? standard);
    const isWhole = name === 'seconds' || Number.isInteger(value);
    if (!isWhole || !(value >= least && value <= most))
      throw new Error(`--${name} must be ${least} to ${most}`);
    return value;
  };
  const names = Object.keys(SIZES) as (keyof Sizes)[]; // its own keys
  return {
    rows: rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    isRecorded: values.record,
    sizes: Object.fromEntries(names.map((name) => [name, size(name)])) as Record<keyof Sizes, number>,
  };
}
