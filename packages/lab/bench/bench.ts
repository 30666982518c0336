// `npm run bench`: the performance of Gatehouse, and of counterparts that run at the same time on the same machine.
import { parseArgs } from 'node:util';
import { onInterrupt } from '@gatehouse/dev';
import { machine, record, shown, type Recorded } from './record.ts';
import { SIZES, type Bench, type Row, type Sizes } from './row.ts';
import { applications, ping, refresh, sessionCheck } from './rows/comparisons.ts';
import { fairLogins, flood, login } from './rows/logins.ts';
import { mail } from './rows/mail.ts';
import { million } from './rows/million.ts';
import { coldStart, idle, redisMemory } from './rows/resources.ts';
import { startSystem, type System } from './system.ts';

const HELP = `Measures Gatehouse against comparable servers, on this machine and in one run.

  npm run bench -- [row …] [--record] [options]

  ping            POST /account/ping and GET /ping/auth, compared with the same written by hand
  session-check   GET /ping/auth, compared with better-auth's session check with Redis
  refresh         POST /account/refresh-token over 1,000 sessions, compared with bare Express and one UPDATE … RETURNING
  applications    introspection and refresh of applications, compared with oidc-provider and Redis
  login           logins at bcrypt cost 10, compared with hashing alone on all cores
  flood           p99 of pings while logins arrive at twice the capacity, compared with pings alone
  fair-logins     logins of others while logins from one address arrive at twice the capacity
  redis-memory    Redis memory per active session
  mail            mails per second from the outbox to a mail server with one worker, and the latency of one mail when idle
  idle            CPU and memory of each service when nobody sends requests
  million         each call with 1,000,000 accounts and sessions, compared with 1,000 (minutes)
  cold-start      time to readiness of a service

  --rounds 5          measurements of each side, alternating; the median counts
  --seconds 1.5       duration of each measurement
  --sessions 1000000  accounts and sessions of the row million
  --mails 10000       mails of the row mail
  --copies 100000     active sessions of the row redis-memory
  --record            writes the results to docs/benchmarks, replacing earlier ones and those of other machines

Without names, runs every row against a temporary system that is stopped at the end. Exits with 1
after an error, and still runs the remaining rows.
`;

/** In the order of measurement. The last one restarts Core, which the others share. */
const ROWS: readonly Row[] = [
  ...[ping, sessionCheck, refresh, applications, login, flood, fairLogins],
  ...[redisMemory, mail, idle, million, coldStart],
];

const stopped = new AbortController();
onInterrupt(() => stopped.abort());
try {
  const { rows, sizes, isRecorded } = readOptions(process.argv.slice(2));
  const found = await measureAll(rows, sizes);
  const { cores, processor } = machine();
  say(`\n${cores} cores of ${processor}, Node ${process.versions.node}`);
  for (const figure of found)
    say(`${shown(figure).padStart(12)}  ${figure.title}${figure.against ? ` : ${figure.against}` : ''}`);
  if (isRecorded && found.length > 0) await record(found, ROWS);
} catch (error) {
  fail(stopped.signal.aborted ? 'Stopped before the end.' : describe(error));
}

function readOptions(args: string[]): { rows: Row[]; sizes: Sizes; isRecorded: boolean } {
  const sizes = { ...SIZES };
  const names = Object.keys(sizes) as (keyof Sizes)[]; // its own keys
  const options: Record<string, { type: 'string' | 'boolean' }> = { record: { type: 'boolean' } };
  for (const name of names) options[name] = { type: 'string' };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  for (const name of names) {
    sizes[name] = Number(values[name] ?? sizes[name]);
    if (!(sizes[name] > 0)) throw new Error(`--${name} must be a number above 0`);
  }
  const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`Unknown row ${unknown.join(', ')}\n\n${HELP}`);
  const rows = ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { rows, sizes, isRecorded: values['record'] === true };
}

/** A row that fails is reported, and the other rows are still measured. */
async function measureAll(rows: readonly Row[], sizes: Sizes): Promise<Recorded[]> {
  const { signal } = stopped;
  const ofRow: (() => unknown)[] = [];
  let shared: Promise<System> | undefined;
  const bench: Bench = {
    signal,
    sizes,
    say,
    onEnd: (step) => ofRow.push(step),
    system: () => (shared ??= startSystem({ signal, bcryptCost: 10, users: 200, others: 200 })),
    ownSystem: async (options) => {
      const started = await startSystem({ signal, ...options });
      ofRow.push(() => started.stop());
      return started;
    },
  };
  const found: Recorded[] = [];
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const began = performance.now();
      say(`… ${row.name}`);
      try {
        const facts = { row: row.name, at: new Date().toISOString(), node: process.versions.node };
        for (const figure of await row.measure(bench)) {
          say(`  ${figure.detail}`);
          found.push({ ...figure, ...facts });
        }
      } catch (error) {
        signal.throwIfAborted();
        fail(`${row.name}: ${describe(error)}`);
      } finally {
        for (const step of ofRow.splice(0).toReversed()) await step();
      }
      say(`  took ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
  } finally {
    await (await shared?.catch(() => undefined))?.stop();
  }
  return found;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): void {
  process.stderr.write(`✗ ${text}\n`);
  process.exitCode = 1;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
