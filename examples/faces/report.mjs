/** Reports faces like a recognition pipeline: as messages of the queue `person.faces`, by a random kind of match each. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from 'amqplib';

const HELP = `Sends face reports to the queue person.faces, like a recognition pipeline, and shows the results.

  npm run demo:faces
  npm run demo:faces -- --count 1000

  --count N  number of faces (1 to 100000, default 300)
  --help     shows this text

Needs the stack of npm start. The first run adds four persons. Each run logs in the seeded user, which ends an earlier
session of that user.
`;

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { GATEHOUSE, AMQP_URL, EMAIL, PASSWORD, IMAGES_URL = 'https://images.example' } = process.env;
const NAMES = ['Demo Ada', 'Demo Grace', 'Demo Katherine', 'Demo Margaret'];
const TYPES = ['Automatch', 'ProbableMatch', 'NotMatch', 'ConfirmedMatch', 'Blurry'];
/** What the default rules make of a face: the last kind is like nobody, and not stored. */
const KINDS = [
  { isStored: true, sharpness: 0.9, similarity: 0.97 },
  { isStored: true, sharpness: 0.8, similarity: 0.8 },
  { isStored: true, sharpness: 0.1, similarity: 0.75 },
  { isStored: false, sharpness: 0.7, similarity: 0.4 },
];
const PARALLEL = 50;
/** How long to wait without progress before giving up. */
const PATIENCE_MS = 20_000;

const out = (text) => process.stdout.write(text);
const refuse = (who) => (cause) => {
  throw new Error(`${who} does not answer. Is it running?`, { cause });
};
let token;

async function call(method, path, content) {
  const response = await fetch(`${GATEHOUSE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: content && JSON.stringify(content),
    signal: AbortSignal.timeout(10_000),
  }).catch(refuse(GATEHOUSE));
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

async function findOrAdd(name) {
  const added = await call('POST', '/person', { Name: name });
  if (added.status === 201) return added.body.Id;
  const { body } = await call('GET', `/person?search=${encodeURIComponent(name)}`);
  if (body.Items?.length > 0) return body.Items[0].Id;
  throw new Error(`${name} could not be added or found: ${added.body.detail}`);
}

function newReport(persons, { sharpness, similarity }) {
  const first = randomInt(persons.length);
  const second = (first + 1) % persons.length;
  return {
    // The same face again has the same id.
    SourceId: `demo-${randomUUID()}`,
    Candidates: [
      { PersonId: persons[first], Similarity: similarity },
      { PersonId: persons[second], Similarity: similarity / 2 },
    ],
    Sharpness: sharpness,
    BoundingBox: { Left: Math.random() / 2, Top: Math.random() / 2, Width: 0.2, Height: 0.3 },
    ImageUrl: `${IMAGES_URL}/${first}-${randomInt(10_000)}${sharpness < 0.3 ? '-blurry' : ''}.svg`,
    CapturedAt: new Date().toISOString(),
  };
}

/** Publishes them all, so that none is lost: each is confirmed by the broker. */
async function send(reports) {
  const connection = await connect(AMQP_URL).catch(refuse('RabbitMQ'));
  try {
    const channel = await connection.createConfirmChannel();
    // Fails where no Core has declared it; a message to a queue that is missing would vanish.
    await channel.checkQueue('person.faces');
    for (const [index, report] of reports.entries()) {
      const message = Buffer.from(JSON.stringify(report));
      channel.sendToQueue('person.faces', message, { persistent: true, contentType: 'application/json' });
      const sent = index + 1;
      if (sent % PARALLEL > 0 && sent < reports.length) continue;
      await channel.waitForConfirms();
      out(`\r… reported ${sent} of ${reports.length}`);
    }
    out('\n');
  } finally {
    await connection.close();
  }
}

async function countsOf(persons) {
  const all = await Promise.all(persons.map((id) => call('GET', `/person/${id}`)));
  return all.map(({ body }) => body.FaceMatchCounts);
}

async function totalOf(persons) {
  const counts = await countsOf(persons);
  return counts.flatMap((types) => Object.values(types)).reduce((sum, count) => sum + count, 0);
}

/** Shows how the reports are taken from the queue, as long as there is progress. */
async function watch(persons, goal, before) {
  let [stored, since] = [0, Date.now()];
  while (stored < goal) {
    await wait(100);
    const now = (await totalOf(persons)) - before;
    if (now > stored) [stored, since] = [now, Date.now()];
    out(`\r… ${stored} of ${goal} that are like somebody are kept`);
    if (Date.now() - since > PATIENCE_MS)
      throw new Error(
        'Core has stopped taking them from the queue. See its log, and the FACE_… settings if you changed them.',
      );
  }
  out('\n');
}

function tableOf(counts) {
  const rows = NAMES.map((name, index) => [name, ...TYPES.map((type) => String(counts[index][type] ?? 0))]);
  const line = ([name, ...cells]) =>
    `  ${name.padEnd(16)}${cells.map((cell) => cell.padStart(16)).join('')}\n`;
  return [['', ...TYPES], ...rows].map(line).join('');
}

async function run(count) {
  const { status, body } = await call('POST', '/account/login', { Username: EMAIL, Password: PASSWORD });
  if (status !== 200)
    throw new Error(
      `${EMAIL} cannot log in (${status}): its password was changed, or it has a second factor.`,
    );
  token = body.Token;
  try {
    const persons = await Promise.all(NAMES.map(findOrAdd));
    const kinds = Array.from({ length: count }, () => KINDS[randomInt(KINDS.length)]);
    const before = await totalOf(persons);
    await send(kinds.map((kind) => newReport(persons, kind)));
    await watch(persons, kinds.filter(({ isStored }) => isStored).length, before);
    out(`\n${tableOf(await countsOf(persons))}\n`);
  } finally {
    await call('POST', '/account/logout', {});
  }
}

const options = { count: { type: 'string', default: '300' }, help: { type: 'boolean', short: 'h' } };
try {
  const { values } = parseArgs({ options });
  const count = Number(values.count);
  if (values.help) out(HELP);
  else if (Number.isInteger(count) && count >= 1 && count <= 100_000) await run(count);
  else throw new Error(`--count must be 1 to 100000, not ${String(values.count)}`);
} catch (error) {
  process.stderr.write(`\n✗ ${error.message}\n`);
  process.exitCode = 1;
}
