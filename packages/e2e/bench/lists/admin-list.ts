import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePorts, onInterrupt, startStack } from '@gatehouse/stack';
import { bulksOf, filtersOf, LISTS, type List } from './admin-list-calls.ts';
import { fillEntries } from './million-entries.ts';
import { fillOthers } from './million-others.ts';
import { fill, type Places } from './million-sessions.ts';

const HELP = `Measures the console's lists at scale, over HTTP: of sessions, accounts, changes, mails, invitations, content, tokens, erasures
and persons the first page, the thousandth, one in the middle and the last, with each filter and with counts; statistics; and
dry runs of changes to 5000.

  npm run bench -- admin-list [--sessions 1000000] [--rounds 20]

  --sessions  sessions to create, and as many of the others (1000 to 10000000); a million takes some minutes and 4 GB
  --rounds    requests for each page; the 95th percentile counts (1 to 50)

Uses a temporary system that is stopped at the end. Exits with 1 only after an error.
`;
/** `npm test` removes folders with this prefix that a killed process left behind. */
const FOLDER = 'gatehouse-test-bench-';
const LIMIT = 50;
const STATISTICS = [
  '/admin/statistics/now',
  '/admin/statistics?interval=hour',
  `/admin/statistics?interval=day&from=${new Date(Date.now() - 399 * 86_400_000).toISOString()}`,
];

const stopped = new AbortController();
onInterrupt(() => stopped.abort());
try {
  await bench(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(stopped.signal.aborted ? 'Stopped before the end.\n' : `✗ ${message}\n`);
  process.exitCode = 1;
}

async function bench(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return say(HELP);
  const directory = mkdtempSync(join(realpathSync(tmpdir()), FOLDER));
  const undo = [(): unknown => rmSync(directory, { recursive: true, force: true })];
  try {
    say('… starting the system with throw-away servers (20 s or so)');
    const ports = await freePorts();
    const stack = await startStack({ directory, ports, throwAway: true, signal: stopped.signal });
    undo.push(() => stack.stop());
    const filled = await fill(
      stack.facts.databaseUrl,
      options.sessions,
      (done) => {
        stopped.signal.throwIfAborted();
        if (done > 0) say(`… ${done.toLocaleString('en')} sessions`);
      },
      1,
    );
    say('… changes and mails');
    const entries = await fillEntries(stack.facts.databaseUrl, options.sessions);
    say('… invitations, content, tokens, erasures and persons');
    const others = await fillOthers(stack.facts.databaseUrl, options.sessions);
    const places = {
      'user-session': filled.sessions,
      account: filled.accounts,
      audit: entries.audit,
      mail: entries.mails,
      ...others.places,
    };
    const examples = { ...filled.examples, ...entries.examples, ...others.examples };
    const call = callsOf(stack.facts, await logIn(stack.facts));
    const many = options.sessions.toLocaleString('en');
    say(`${many} of each, ${LIMIT} a page, p95 of ${options.rounds} in ms; behind each how many came\n`);
    for (const list of Object.keys(LISTS) as List[]) {
      say(line(list, 'first', 'thousandth', 'middle', 'last'));
      for (const filter of filtersOf(list, examples)) {
        say(await measure(call, { list, filter, places: places[list] }, options.rounds));
      }
    }
    for (const path of STATISTICS) {
      // Admin caches the current state for a while: only the first response is counted anew.
      const rounds = path.endsWith('/now') ? 1 : options.rounds;
      say(line(path, await repeated(rounds, () => call(path))));
    }
    for (const { name, path, body } of bulksOf(filled.examples)) {
      say(line(name, await repeated(options.rounds, () => call(path, body))));
    }
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** Returns `undefined` if help is requested. */
function readOptions(args: string[]): { sessions: number; rounds: number } | undefined {
  const { values } = parseArgs({
    args,
    options: {
      sessions: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '20' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const sessions = Number(values.sessions);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(sessions) || sessions < 1000 || sessions > 1e7) {
    throw new Error('--sessions takes 1000 to 10000000');
  }
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes 1 to 50');
  return { sessions, rounds };
}

async function logIn(facts: {
  baseUrl: string;
  admin: { Email: string; Password: string };
}): Promise<string> {
  const answer = await fetch(`${facts.baseUrl}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Username: facts.admin.Email, Password: facts.admin.Password }),
    signal: stopped.signal,
  });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { Token: string }).Token;
}

/** Requests a path, with or without a body. Returns the duration and the number of items in the response. */
type Call = (path: string, body?: object) => Promise<{ milliseconds: number; count: number }>;

function callsOf({ urls, baseUrl }: { urls: { admin: string }; baseUrl: string }, token: string): Call {
  return async (path, body) => {
    const startedAt = performance.now();
    const answer = await fetch(`${path.startsWith('/admin') ? urls.admin : baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: stopped.signal,
    });
    const text = await answer.text();
    const milliseconds = performance.now() - startedAt;
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
    // The response of Admin to a list, a bulk request or statistics.
    const { Items, Ids, Series } = JSON.parse(text) as Record<
      'Items' | 'Ids' | 'Series',
      unknown[] | undefined
    >;
    return { milliseconds, count: (Ids ?? Items ?? Series ?? []).length };
  };
}

async function measure(
  call: Call,
  { list, filter, places }: { list: List; filter: string; places: Places },
  rounds: number,
): Promise<string> {
  const cells: string[] = [];
  for (const behind of [places.first, places.thousandth, places.middle, places.last]) {
    // Built in the format of Admin's cursors: otherwise a page in the middle could only be reached by reading all pages
    // before it.
    const key = JSON.stringify({ [LISTS[list].key]: behind });
    const cursor = behind === undefined ? '' : `&cursor=${Buffer.from(key).toString('base64url')}`;
    cells.push(await repeated(rounds, () => call(`${LISTS[list].path}?limit=${LIMIT}&${filter}${cursor}`)));
  }
  const name = filter.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replaceAll(/\d{4}-\d\d-\d\dT[^&]*/g, '…');
  return line(name === '' ? 'no filter' : name, ...cells);
}

async function repeated(rounds: number, call: () => ReturnType<Call>): Promise<string> {
  const times: number[] = [];
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answered = await call();
    times.push(answered.milliseconds);
    ({ count } = answered);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const slow = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  return `${slow.toFixed(1)} (${count})`;
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(46) + cells.map((cell) => cell.padStart(14)).join('');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
