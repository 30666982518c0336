import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePorts, onInterrupt, startStack } from '@gatehouse/stack';
import { fill, type Examples, type Places } from './million-sessions.ts';

const HELP = `Measures Admin's list of sessions with very many of them: a page at the start, the middle and the end of
the list, with each filter, over HTTP.

  npm run bench -- admin-list [--sessions 1000000] [--rounds 5]

  --sessions  how many there are (1000 to 10000000); a million takes some minutes and 1 GB
  --rounds    how often each page is asked for; the medians count (1 to 50)

It starts a throw-away system of its own and stops it. It judges nothing: the exit code is 1 for errors alone.
`;
/** `npm test` clears away what is called so and was left by a process that was killed. */
const FOLDER = 'gatehouse-test-bench-';
const LIMIT = 50;

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
    const { places, examples } = await fill(stack.facts.databaseUrl, options.sessions, (done) => {
      stopped.signal.throwIfAborted();
      if (done > 0) say(`… ${done.toLocaleString('en')} sessions`);
    });
    const page = pagesOf(stack.facts.urls.admin, await logIn(stack.facts));
    say(
      `${options.sessions.toLocaleString('en')} sessions, ${LIMIT} a page, medians of ${options.rounds} in ms; behind each how many came\n`,
    );
    say(line('', 'start', 'middle', 'end'));
    for (const filter of filtersOf(examples)) say(await measure(page, filter, places, options.rounds));
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** `undefined` when help is asked for. */
function readOptions(args: string[]): { sessions: number; rounds: number } | undefined {
  const { values } = parseArgs({
    args,
    options: {
      sessions: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
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

type Pages = (filter: string, behind: string | undefined) => Promise<{ milliseconds: number; items: number }>;

function pagesOf(url: string, token: string): Pages {
  return async (filter, behind) => {
    // As Admin makes them: pages in the middle cannot be reached otherwise without reading all before them.
    const key = JSON.stringify({ UserSessionId: behind });
    const cursor = behind === undefined ? '' : `&cursor=${Buffer.from(key).toString('base64url')}`;
    const startedAt = performance.now();
    const answer = await fetch(`${url}/admin/user-session?limit=${LIMIT}&${filter}${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stopped.signal,
    });
    const text = await answer.text();
    const milliseconds = performance.now() - startedAt;
    if (answer.status !== 200) throw new Error(`?${filter} answered ${answer.status}: ${text}`);
    return { milliseconds, items: (JSON.parse(text) as { Items: unknown[] }).Items.length };
  };
}

function filtersOf({ userId, contentDefinitionId }: Examples): string[] {
  return [
    '',
    'status=Normal',
    'status=SessionReplaced',
    'status=Deactivated',
    `userId=${userId}`,
    `contentDefinitionId=${contentDefinitionId}`,
    `contentDefinitionId=${contentDefinitionId}&status=ChatDisabled`,
    'search=quagga',
    'search=person1234',
    'search=nobody',
    'search=example.com',
    'search=pe',
    'search=zq',
    'isOnline=true',
    'isOnline=false',
    'isOnline=false&status=Normal',
    'isOnline=true&search=quagga',
    `isOnline=true&contentDefinitionId=${contentDefinitionId}`,
  ];
}

async function measure(page: Pages, filter: string, places: Places, rounds: number): Promise<string> {
  const cells: string[] = [];
  for (const behind of [places.start, places.middle, places.end]) {
    const times: number[] = [];
    let items = 0;
    for (let round = 0; round < rounds; round += 1) {
      const found = await page(filter, behind);
      times.push(found.milliseconds);
      ({ items } = found);
    }
    const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
    cells.push(`${median.toFixed(1)} (${items})`);
  }
  const name = filter.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
  return line(name === '' ? 'no filter' : name, ...cells);
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(46) + cells.map((cell) => cell.padStart(14)).join('');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
