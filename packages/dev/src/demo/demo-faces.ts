import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createFaceReporter, FaceMatchType, type FaceReporter, type FaceReport } from '@gatehouse/events';
import { createLog } from '@gatehouse/runtime';
import { localStack } from '../stack/stack-file.ts';
import type { Credentials } from '../stack/seed.ts';
import { command, StackError, until } from '../command.ts';

const HELP = `Sends face reports to the queue person.faces, like a recognition pipeline, and shows the results.

  npm run demo:faces
  npm run demo:faces -- --count 1000

  --count N  number of faces (1 to 100000, default 300)
  --help     shows this text

Needs the stack of npm start. The first run adds four persons. Each run logs in the seeded user, which ends an earlier
session of that user.
`;

const NAMES = ['Demo Ada', 'Demo Grace', 'Demo Katherine', 'Demo Margaret'];
const PARALLEL = 50;
const TIMEOUT_MS = 10_000;
/** How long to wait without progress before giving up. */
const PATIENCE_SECONDS = 20;

/**
 * Runs the command with the stack of `directory`, by default of this folder.
 *
 * @throws {StackError} saying what the user can do.
 */
export async function demoFacesCommand(
  args: string[],
  out: (text: string) => void,
  directory?: string,
): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '300' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return out(HELP);
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < 1 || count > 100_000) {
    throw new StackError(`--count must be 1 to 100000, not ${values.count}`, 'For example: --count 100');
  }
  const { facts } = localStack('Then run this again.', directory);
  const api = await logIn(facts.baseUrl, facts.seed.user);
  const log = createLog({ service: 'demo', level: 'error' });
  const reporter = createFaceReporter({ url: facts.amqpUrl, log });
  try {
    if (!(await until(() => reporter.isReady(), PATIENCE_SECONDS)))
      throw new StackError('RabbitMQ does not answer', 'Is the stack running? Start it with npm start.');
    const persons = await Promise.all(NAMES.map((name) => findOrAdd(api, name)));
    const reports = Array.from({ length: count }, () => someReport(persons));
    const kept = reports.filter(({ outcome }) => outcome !== undefined).length;
    const before = await total(api, persons);
    await sendAll(reporter, reports, out);
    await watch(api, persons, { before, kept, out });
    out(`\n${await table(api, persons)}\n`);
  } finally {
    await reporter.close();
    await api('POST', '/account/logout', {});
  }
}

async function findOrAdd(api: Api, name: string): Promise<string> {
  const added = await api('POST', '/person', { Name: name });
  if (added.status === 201) return String(added.body['Id']);
  const { body } = await api('GET', `/person?search=${encodeURIComponent(name)}`);
  const [found] = (body['Items'] as { Id: string }[] | undefined) ?? [];
  if (found === undefined) throw new StackError(`${name} could not be added or found`, "See Core's log.");
  return found.Id;
}

/** A report of a random kind, with the outcome that the default rules give it. */
function someReport(persons: readonly string[]): { report: FaceReport; outcome: FaceMatchType | undefined } {
  const [first = '', second = ''] = persons.toSorted(() => Math.random() - 0.5);
  const [outcome, sharpness, similarity] = [
    [FaceMatchType.Automatch, 0.9, 0.97],
    [FaceMatchType.ProbableMatch, 0.8, 0.8],
    [FaceMatchType.Blurry, 0.1, 0.75],
    [undefined, 0.7, 0.4],
  ][Math.floor(Math.random() * 4)] as [FaceMatchType | undefined, number, number];
  const name = randomBytes(8).toString('hex');
  return {
    outcome,
    report: {
      SourceId: `demo-${name}`,
      Candidates: [
        { PersonId: first, Similarity: similarity },
        { PersonId: second, Similarity: similarity / 2 },
      ],
      Sharpness: sharpness,
      BoundingBox: { Left: Math.random() / 2, Top: Math.random() / 2, Width: 0.2, Height: 0.3 },
      ImageUrl: `https://images.example/${name}.jpg`,
      CapturedAt: new Date().toISOString(),
    },
  };
}

async function sendAll(
  reporter: FaceReporter,
  reports: readonly { report: FaceReport }[],
  out: (text: string) => void,
): Promise<void> {
  for (let at = 0; at < reports.length; at += PARALLEL) {
    await Promise.all(reports.slice(at, at + PARALLEL).map(({ report }) => reporter.report(report)));
    out(`\r… reported ${Math.min(at + PARALLEL, reports.length)} of ${reports.length}`);
  }
  out('\n');
}

/** Waits until all reports that should be stored are stored, as long as there is progress. */
async function watch(
  api: Api,
  persons: readonly string[],
  { before, kept, out }: { before: number; kept: number; out: (text: string) => void },
): Promise<void> {
  let now = -1;
  while (now < kept) {
    const last = now;
    const hasChanged = async (): Promise<boolean> => (now = (await total(api, persons)) - before) !== last;
    if (!(await until(hasChanged, PATIENCE_SECONDS))) {
      throw new StackError(
        'Core has stopped taking them from the queue',
        'See its log, and the FACE_… settings if you changed them.',
      );
    }
    out(`\r… ${now} of ${kept} that are like somebody are kept`);
  }
  out('\n');
}

async function countsOf(api: Api, id: string): Promise<Record<string, number>> {
  const { body } = await api('GET', `/person/${id}`);
  return body['FaceMatchCounts'] as Record<string, number>; // a response of Core
}

async function total(api: Api, persons: readonly string[]): Promise<number> {
  const all = await Promise.all(persons.map((id) => countsOf(api, id)));
  return all.flatMap((counts) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
}

async function table(api: Api, persons: readonly string[]): Promise<string> {
  const types = Object.keys(FaceMatchType);
  const counts = await Promise.all(persons.map((id) => countsOf(api, id)));
  const rows = NAMES.map((name, at) => [name, ...types.map((type) => String(counts[at]?.[type] ?? 0))]);
  const cells = ([name = '', ...rest]: string[]): string =>
    `  ${name.padEnd(16)}${rest.map((cell) => cell.padStart(16)).join('')}`;
  return [['', ...types], ...rows].map(cells).join('\n');
}

/** A call of Core or Portal. */
type Api = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** @throws {StackError} if the stack does not answer or the password has been changed. */
async function logIn(baseUrl: string, { Email: Username, Password }: Credentials): Promise<Api> {
  const { status, body } = await callerAt(baseUrl)('POST', '/account/login', { Username, Password });
  if (status === 200) return callerAt(baseUrl, String(body['Token']));
  throw new StackError(
    `${Username} cannot log in (${status})`,
    'The password is no longer the one in .local/stack.json, or the account has a second factor.',
  );
}

function callerAt(baseUrl: string, token?: string): Api {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return async (method, path, content) => {
    const body = content === undefined ? null : JSON.stringify(content);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body, signal }).catch(
      (cause: unknown) => {
        const advice = 'Is the stack running? Start it with npm start.';
        throw new StackError(`No response from ${baseUrl}`, advice, { cause });
      },
    );
    const text = await response.text();
    // All our responses with a body are JSON objects.
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
}

/** `npm run demo:faces` */
await command(import.meta.url, (args) => demoFacesCommand(args, (text) => void process.stdout.write(text)));
