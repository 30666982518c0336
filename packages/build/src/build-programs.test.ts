import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { buildPrograms } from './build-programs.ts';
import { isUpToDate } from './outputs.ts';

const MAIN = 'services/one/src/main.ts';
const FILES: Record<string, string> = {
  [MAIN]: `import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { fail } from './fail.ts';

const text: string = readFileSync(new URL('words.txt', import.meta.url), 'utf8').trim();
const names: string[] = readdirSync(new URL('./steps/', import.meta.url));
if (process.argv[2] === 'fail') fail();
if (process.argv[2] === 'later') process.stdout.write((await import('./later.ts')).later);
const worker = new Worker(new URL('thread.mjs', import.meta.url));
worker.on('message', (said: string) => process.stdout.write([text, ...names, said].join(' ')));
`,
  'services/one/src/fail.ts': `interface Unused {
  nothing: string;
}

export function fail(): never {
  throw new Error('as told');
}
`,
  'services/one/src/later.ts': `import { shout } from './shout.ts';\n\nexport const later: string = shout('later ');\n`,
  'services/one/src/shout.ts': `export const shout = (text: string): string => text.toUpperCase();\n`,
  'services/one/src/words.txt': 'words\n',
  'services/one/src/steps/0001.sql': 'select 1;\n',
  'services/one/src/thread.mjs': `import { parentPort } from 'node:worker_threads';\nparentPort.postMessage('thread');\n`,
  'package.json': '{ "version": "1.2.3" }',
  LICENSE: 'do as you like\n',
};

const OUTPUT = { encoding: 'utf8', stdio: 'pipe' } as const;

describe('a build', () => {
  let root: string;
  let changes = 0;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    // Each change gets a distinct time, before any build began.
    changes += 1;
    for (const changed of [path, dirname(path)]) utimesSync(join(root, changed), changes, changes);
  };
  const options = () => ({ root, programs: { one: MAIN } });
  const main = () => join(root, 'dist/one/main.mjs');
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, ['--enable-source-maps', main(), ...args], OUTPUT);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'a build, größer '));
    for (const [path, text] of Object.entries(FILES)) put(path, text);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('refuses a folder without files, which the program would not find', async () => {
    rmSync(join(root, 'services/one/src/steps/0001.sql'));
    await assert.rejects(buildPrograms(options()), /steps is empty/);
  });

  it('carries what the program reads and its threads, and needs no sources', async () => {
    await buildPrograms(options());
    rmSync(join(root, 'services'), { recursive: true });
    assert.equal(run(), 'words 0001.sql thread');
    assert.ok(existsSync(join(root, 'dist/one/LICENSE')));
  });

  it('carries what is loaded later in files of their own', async () => {
    await buildPrograms(options());
    assert.doesNotMatch(readFileSync(main(), 'utf8'), /toUpperCase/);
    rmSync(join(root, 'services'), { recursive: true });
    assert.equal(run('later'), 'LATER words 0001.sql thread');
  });

  it('leaves the lines of TypeScript in stack traces', async () => {
    await buildPrograms(options());
    const namesLines = ({ stderr }: { stderr: string }) =>
      stderr.includes('services/one/src/fail.ts:6:') && stderr.includes('services/one/src/main.ts:7:');
    assert.throws(() => run('fail'), namesLines);
  });

  for (const [what, change] of [
    ['a source', () => put('services/one/src/fail.ts', `export function fail(): void {}\n`)],
    ['a file that is read', () => put('services/one/src/words.txt', 'other words\n')],
    ['a folder that is read', () => put('services/one/src/steps/0002.sql', 'select 2;\n')],
    ['what is loaded later', () => put('services/one/src/later.ts', `export const later = 'soon ';\n`)],
    ['a thread', () => put('services/one/src/thread.mjs', `// nothing any more\n`)],
    ['what is installed', () => put('pnpm-lock.yaml', '')],
    ['what was built', () => put('dist/one/main.mjs', '')],
  ] as const)
    it(`is required again after a change of ${what}`, async () => {
      await buildPrograms(options());
      change();
      assert.equal(isUpToDate(options()), false);
      await buildPrograms(options());
      assert.equal(isUpToDate(options()), true);
    });

  it('is not required after a layer of an image cut the times to whole seconds', async () => {
    await buildPrograms(options());
    const inWholeSeconds = (path: string): void => {
      const seconds = Math.floor(statSync(path).mtimeMs / 1000);
      utimesSync(path, seconds, seconds);
    };
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
      inWholeSeconds(join(entry.parentPath, entry.name));
    assert.equal(isUpToDate(options()), true);
  });

  it('writes what is generated before it copies it, and again after a change of its source', async () => {
    const [generator, generated] = ['packages/codegen/src/openapi/generate.ts', 'services/one/src/words.txt'];
    const generate = (text: string): void =>
      put(generator, `process.stdout.write(JSON.stringify({ '${generated}': '${text}' }));\n`);
    generate('first');
    await buildPrograms(options());
    assert.equal(run(), 'first 0001.sql thread');
    for (const change of [() => generate('second'), () => put(generated, 'by hand')]) {
      change();
      assert.equal(isUpToDate(options()), false);
      await buildPrograms(options());
      assert.equal(isUpToDate(options()), true);
      assert.equal(run(), 'second 0001.sql thread');
    }
    put(generator, `throw new Error('no such route');\n`);
    await assert.rejects(buildPrograms(options()), /generate\.ts:1\b[^]*no such route/);
  });

  it('removes outdated files', async () => {
    await buildPrograms(options());
    put('services/one/src/steps/0002.sql', 'select 2;\n');
    rmSync(join(root, 'services/one/src/steps/0001.sql'));
    await buildPrograms(options());
    assert.equal(run(), 'words 0002.sql thread');
  });

  it('reports the location of an error, and keeps the previous build', async () => {
    await buildPrograms(options());
    const before = statSync(main()).mtimeMs;
    put('services/one/src/fail.ts', 'export function fail(: void {}\n');
    const message = /services\/one\/src\/fail\.ts:1:21/;
    await assert.rejects(buildPrograms(options()), { name: 'BuildFailed', message });
    assert.equal(statSync(main()).mtimeMs, before);
    assert.equal(run(), 'words 0001.sql thread');
  });

  for (const [words, fault] of [
    [`new URL('../other/words.txt', import.meta.url)`, 'there is no ../other/words.txt beside it'],
    [`new URL('missing.txt', import.meta.url)`, 'there is no missing.txt beside it'],
    ['import.meta.dirname', 'import.meta is for'],
  ] as const)
    it(`refuses ${words}, which would find nothing`, async () => {
      put(MAIN, `process.stdout.write(String(${words}));\n`);
      await assert.rejects(buildPrograms(options()), { name: 'BuildFailed', message: new RegExp(fault) });
    });

  it('lets the launcher find what is beside its sources', async () => {
    const launcher = 'packages/dev/src/main.ts';
    put(launcher, `process.stdout.write(String(new URL('../../x', import.meta.url)));\n`);
    await buildPrograms({ root, programs: { one: launcher } });
    assert.equal(run(), pathToFileURL(join(root, 'packages/x')).href);
  });

  it('can run concurrently, while the program is started', async () => {
    await buildPrograms(options());
    const builder = fileURLToPath(new URL('./build-programs.ts', import.meta.url));
    const script = `const { buildPrograms } = await import(${JSON.stringify(builder)});
await buildPrograms(${JSON.stringify(options())});`;
    const args = [...process.execArgv, '--input-type=module', '--eval', script];
    const execute = promisify(execFile);
    let isOver = false;
    const starts = (async () => {
      while (!isOver) {
        const { stdout } = await execute(process.execPath, [main()]);
        assert.equal(stdout, 'words 0001.sql thread');
      }
    })();
    const building = Promise.all([1, 2, 3].map(() => execute(process.execPath, args)));
    const builds = building.finally(() => (isOver = true));
    await Promise.all([builds, starts]);
    await buildPrograms(options());
    assert.equal(isUpToDate(options()), true);
  });
});
