import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundleForPage, packPackage } from '@gatehouse/build';
import { during } from '@gatehouse/runtime/testing';
import { publint } from 'publint';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const BYTES_MAX = 7.5 * 1024;
/** What the size is measured of: all that a page may name. */
const NAMES = '{ createClient, GatehouseError, readMailLink }';
const run = promisify(execFile);
const require = createRequire(import.meta.url);
const COMPILERS = [
  ['5.4', [process.execPath, require.resolve('typescript-5.4/bin/tsc')]],
  ['this repository', [join(ROOT, 'node_modules/.bin/tsc')]],
] as const;
const STRICT =
  '--noEmit --strict --skipDefaultLibCheck --exactOptionalPropertyTypes --target es2022 --module esnext --moduleResolution bundler --jsx react-jsx';

type Project = Awaited<ReturnType<typeof newProject>>;

/** A project that contains only one of our packages, installed from its tarball. */
async function newProject(name: string, besides: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'));
  const tarball = await packPackage(name, folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--install-links'];
  await run('npm', [...install, tarball, ...besides], { cwd: folder });
  /** Copies a package that `by` can resolve, and its dependencies, into the project. */
  const add = async (one: string, by: NodeJS.Require): Promise<void> => {
    const manifest = await realpath(by.resolve(`${one}/package.json`));
    await cp(dirname(manifest), join(folder, 'node_modules', one), { recursive: true });
    const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: object };
    for (const other of Object.keys(dependencies)) await add(other, createRequire(manifest));
  };
  return {
    folder,
    tarball,
    add,
    /** Runs the program and returns its output. */
    print: async (source: string) => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: folder });
      return stdout.trim();
    },
    /** Compiles the examples of documentation pages. */
    compile: async (
      [program = '', ...before]: readonly string[],
      pages: readonly string[],
      options: string,
    ) => {
      const texts = await Promise.all(pages.map((page) => readFile(join(ROOT, page), 'utf8')));
      const examples = texts.flatMap(examplesOf);
      assert.ok(examples.length >= pages.length);
      const files = examples.map(({ kind, text }, at) => [`example${at}.${kind}`, text] as const);
      for (const [file, text] of files) await writeFile(join(folder, file), text);
      const names = files.map(([file]) => file);
      await run(program, [...before, ...`${STRICT} ${options}`.split(' '), ...names], { cwd: folder }).catch(
        (error: { stdout?: string }) => assert.fail(error.stdout),
      );
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The modules in the code blocks of a documentation page. */
function examplesOf(page: string): { kind: string; text: string }[] {
  return [...page.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
}

async function leavesNothingToSay({ folder, tarball }: Project, name: string): Promise<void> {
  const { messages } = await publint({
    pkgDir: join(folder, 'node_modules', `gatehouse-${name}`),
    pack: false,
    strict: true,
  });
  assert.deepEqual(messages, []);
  const attw = join(ROOT, 'packages/e2e/node_modules/.bin/attw');
  await run(attw, [tarball, '--profile', 'esm-only', '--no-color']);
}

/** As an app gets it: installed from its tarball into an empty project. */
describe('the packed gatehouse-client', function () {
  this.timeout(180_000);
  const project = during(() => newProject('client'));

  const isSmall = (first: string): void => {
    const imports = /(\bfrom|^import|;import)\s*["'`]/;
    assert.doesNotMatch(first, imports, 'all that a page loads at once is counted');
    const bytes = gzipSync(first, { level: 9 }).length;
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
  };

  it('is at most 7.5 KB in a page that esbuild makes, compressed', async () => {
    const { first } = await bundleForPage(`export ${NAMES} from 'gatehouse-client';`, project.folder);
    isSmall(first);
  });

  it('is at most 7.5 KB, compressed, in a page built by Vite with its defaults', async () => {
    const { folder } = project;
    const app = `import ${NAMES} from 'gatehouse-client'; Object.assign(globalThis, ${NAMES});`;
    await writeFile(join(folder, 'app.js'), app);
    await writeFile(join(folder, 'index.html'), '<script type="module" src="./app.js"></script>');
    await run(join(ROOT, 'packages/e2e/node_modules/.bin/vite'), ['build'], { cwd: folder });
    const page = await readFile(join(folder, 'dist/index.html'), 'utf8');
    const [first = '', ...others] = [...page.matchAll(/(?:src|href)="\/(.*?)"/g)].map(
      ([, path = '']) => path,
    );
    assert.deepEqual(others, []);
    isSmall(await readFile(join(folder, 'dist', first), 'utf8'));
  });

  it('has no dependencies, and loads in Node', async () => {
    const file = join(project.folder, 'node_modules/gatehouse-client/package.json');
    const manifest = await readFile(file, 'utf8');
    assert.equal((JSON.parse(manifest) as { dependencies?: object }).dependencies, undefined);
    const printed = await project.print(`import { createClient } from 'gatehouse-client';
      const auth = createClient({ baseUrl: 'http://127.0.0.1:9' });
      await auth.ready;
      await auth.api.getProfile().catch(({ code }) => console.log(auth.getState().kind, code));`);
    assert.equal(printed, 'signed-out offline');
  });

  it('passes publint and attw', () => leavesNothingToSay(project, 'client'));

  for (const [version, compiler] of COMPILERS) {
    it(`lets the TypeScript of ${version} compile what its README and docs/client.md show`, async () => {
      const ofClient = createRequire(join(ROOT, 'packages/client/package.json'));
      await project.add('react', ofClient);
      await project.add('@types/react', ofClient);
      const pages = ['packages/client/README.md', 'docs/client.md'];
      await project.compile(compiler, pages, '--lib es2022,dom --types react');
    });
  }

  it('rejects with `offline` if a chunk cannot be loaded', async () => {
    const installed = join(project.folder, 'node_modules/gatehouse-client');
    for (const chunk of ['login/ways-in.js', 'api/call-of.js']) await rm(join(installed, 'dist', chunk));
    const printed = await project.print(`import { createClient } from 'gatehouse-client';
      const auth = createClient({ baseUrl: 'http://127.0.0.1:9' });
      await auth.login({ Username: 'a', Password: 'b' }).catch(({ code }) => console.log(code));
      await auth.api.getProfile().catch(({ code }) => console.log(code));`);
    assert.equal(printed, 'offline\noffline');
  });
});

describe('the packed gatehouse-verify', function () {
  this.timeout(180_000);
  const project = during(async () =>
    newProject('verify', [await realpath(join(ROOT, 'packages/verify/node_modules/jose'))]),
  );

  it('depends only on jose, and loads in Node', async () => {
    const file = join(project.folder, 'node_modules/gatehouse-verify/package.json');
    const manifest = await readFile(file, 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: object };
    assert.deepEqual(Object.keys(dependencies), ['jose']);
    const printed = await project.print(`import { createVerifier } from 'gatehouse-verify';
      const verifier = createVerifier({ issuer: 'http://127.0.0.1:9', revocation: 'none' });
      console.log((await verifier.verify('no.token')).code);
      verifier.close();`);
    assert.equal(printed, 'token_invalid');
  });

  it('passes publint and attw', () => leavesNothingToSay(project, 'verify'));

  for (const [version, compiler] of COMPILERS) {
    it(`lets the TypeScript of ${version} compile what its README shows`, async () => {
      const ofHttp = createRequire(join(ROOT, 'packages/http/package.json'));
      await project.add('@types/express', ofHttp);
      await project.add('@types/node', createRequire(join(ROOT, 'package.json')));
      await project.compile(compiler, ['packages/verify/README.md'], '--lib es2022 --types node');
    });
  }
});
