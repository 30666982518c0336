import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundleForPage, packPackage } from '@gatehouse/build';
import { publint } from 'publint';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const BYTES_MAX = 7 * 1024;
const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** As an app gets it: installed from its tarball, into a project that has nothing else. */
describe('the packed @gatehouse/client', function () {
  this.timeout(180_000);
  let folder: string;
  let tarball: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'));
    tarball = await packPackage('client', folder);
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is at most 7 KB in a page, compressed', async () => {
    const source = `export { createClient, GatehouseError, readMailLink } from '@gatehouse/client';`;
    const { first } = await bundleForPage(source, folder);
    const bytes = gzipSync(first, { level: 9 }).length;
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
  });

  it('depends on nothing, and is loaded by Node as it is', async () => {
    const { dependencies } = JSON.parse(
      await readFile(join(folder, 'node_modules/@gatehouse/client/package.json'), 'utf8'),
    ) as { dependencies?: object };
    assert.equal(dependencies, undefined);
    const source = `import { createClient } from '@gatehouse/client';
      const auth = createClient({ baseUrl: 'http://127.0.0.1:9' });
      await auth.ready;
      await auth.api.getProfile().catch(({ code }) => console.log(auth.getState().kind, code));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: folder });
    assert.equal(stdout.trim(), 'signed-out offline');
  });

  it('leaves publint and attw nothing to say', async () => {
    const { messages } = await publint({ pkgDir: join(folder, 'client'), pack: false, strict: true });
    assert.deepEqual(messages, []);
    const attw = join(ROOT, 'packages/e2e/node_modules/.bin/attw');
    await run(attw, [tarball, '--profile', 'esm-only', '--no-color']);
  });

  for (const [version, compiler] of [
    ['5.4', [process.execPath, require.resolve('typescript-5.4/bin/tsc')]],
    ['this repository', [join(ROOT, 'node_modules/.bin/tsc')]],
  ] as const) {
    it(`lets the TypeScript of ${version} compile what its README and docs/client.md show`, async () => {
      const ofClient = createRequire(join(ROOT, 'packages/client/package.json'));
      const ofTypes = createRequire(ofClient.resolve('@types/react/package.json'));
      for (const [name, by] of [
        ['react', ofClient],
        ['@types/react', ofClient],
        ['csstype', ofTypes],
      ] as const) {
        const from = dirname(by.resolve(`${name}/package.json`));
        await cp(from, join(folder, 'node_modules', name), { recursive: true, dereference: true });
      }
      const examples = [
        ...examplesOf(await readFile(join(ROOT, 'packages/client/README.md'), 'utf8')),
        ...examplesOf(await readFile(join(ROOT, 'docs/client.md'), 'utf8')),
      ];
      assert.ok(examples.length > 3);
      const files = examples.map(({ kind, text }, at) => [`example${at}.${kind}`, text] as const);
      for (const [name, text] of files) await writeFile(join(folder, name), text);
      const options =
        '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom --module esnext --moduleResolution bundler --jsx react-jsx --types react';
      const [program = '', ...before] = compiler;
      const names = files.map(([name]) => name);
      await run(program, [...before, ...options.split(' '), ...names], { cwd: folder }).catch(
        (error: { stdout?: string }) => assert.fail(error.stdout),
      );
    });
  }
});

/** The modules that a page of documentation shows. */
function examplesOf(page: string): { kind: string; text: string }[] {
  return [...page.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
}
