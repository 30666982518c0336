import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { accountSettings, replayErasure } from '@gatehouse/accounts';
import { connectDb, erasures, type Db } from '@gatehouse/db';
import { jsonIn, readConfig } from '@gatehouse/runtime';
import { isUuid, Type } from '@gatehouse/schema';
import { replaceFile } from './keys/keys-file.ts';
import { CommandError } from './terminal.ts';

const HELP = `Erases again what a restored backup has brought back.

  erase:replay --save FILE   writes which erasures were carried out or cancelled, one JSON object per line,
                             and at the end how many
  erase:replay FILE          repeats them in a database that was restored from a backup

  --help   shows this text

Save the list with every backup, and keep it apart from the database. It contains IDs and times only. Replay it before the
services start: accounts that had been erased are disabled, and Admin erases them once it runs.

Run it as npm run erase:replay -- …, or as docker compose run --rm tools erase:replay …
Uses the database at DATABASE_URL, as its owner. npm run without DATABASE_URL uses the stack of npm start.
`;

const BATCH = 1000;

/** Returns the text to print. `environment` replaces that of this process. */
export async function eraseReplayCommand(args: string[], environment?: NodeJS.ProcessEnv): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { save: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  const [file, ...more] = positionals;
  if (values.help || (file === undefined) === (values.save === undefined) || more.length > 0) return HELP;
  const entries = file === undefined ? [] : readEntries(file);
  const { DATABASE_CA } = accountSettings();
  const Settings = Type.Object({ DATABASE_URL: Type.String({ minLength: 1 }), DATABASE_CA });
  const settings = readConfig(Settings, environment);
  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: 'gatehouse-erase-replay',
    poolMax: 1,
  });
  try {
    return values.save === undefined ? await replay(db, entries) : await save(db, values.save);
  } finally {
    await db.destroy();
  }
}

async function save(db: Db, file: string): Promise<string> {
  const lines: string[] = [];
  for (let afterId: string | undefined; ;) {
    const ended = await erasures.findEnded(db, { afterId, max: BATCH });
    for (const { id: Id, accountId: UserId, erasedAt: ErasedAt, restoredAt: RestoredAt } of ended)
      lines.push(`${JSON.stringify({ Id, UserId, ErasedAt, RestoredAt })}\n`);
    afterId = ended.at(-1)?.id;
    if (ended.length < BATCH) break;
  }
  // An existing list remains intact until the new one is complete, because it may be the only copy.
  replaceFile(file, `${lines.join('')}${JSON.stringify({ Count: lines.length })}\n`);
  return `✓ ${lines.length} erasures are in ${file}.\n`;
}

type Entry = Parameters<typeof replayErasure>[1];

async function replay(db: Db, entries: readonly Entry[]): Promise<string> {
  let repeated = 0;
  for (const entry of entries) if (await replayErasure({ db }, entry)) repeated += 1;
  return `✓ ${entries.length} erasures were read, and ${repeated} had to be repeated.\n`;
}

/** Reads the whole file first, so that a damaged or truncated file has no effect. */
function readEntries(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const entries = lines.slice(0, -1).map((line, at) => readEntry(line, at + 1));
  if (parse(lines.at(-1) ?? '').Count !== entries.length)
    throw new CommandError(
      'the last line does not say how many erasures there are',
      'Nothing was done: the file is not whole. Is it the file of --save?',
    );
  return entries;
}

function readEntry(line: string, number: number): Entry {
  const { Id, UserId, ErasedAt, RestoredAt } = parse(line);
  const isWhole = typeof Id === 'string' && typeof UserId === 'string' && isUuid(Id) && isUuid(UserId);
  if (!isWhole || (typeof ErasedAt === 'string') === (typeof RestoredAt === 'string'))
    throw new CommandError(`line ${number} is not an erasure`, 'Nothing was done: is it the file of --save?');
  return { id: Id, accountId: UserId, end: typeof ErasedAt === 'string' ? 'erased' : 'restored' };
}

function parse(line: string): Record<string, unknown> {
  const read = jsonIn(line);
  return typeof read === 'object' && read !== null ? { ...read } : {};
}
