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
import { blocksIn, readPage } from '../documents/documents.ts';

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

/** A project that contains only one of our packages, installed from its tarball. */
async function newProject(name: string, dependencies: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'));
  const tarball = await packPackage(name, folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--install-links'];
  const ofName = (one: string) => realpath(join(ROOT, 'packages', name, 'node_modules', one));
  await run('npm', [...install, tarball, ...(await Promise.all(dependencies.map(ofName)))], { cwd: folder });
  /** Copies a package that `by` can resolve, and its dependencies, into the project. */
  const add = async (one: string, by: NodeJS.Require): Promise<void> => {
    const manifest = await realpath(by.resolve(`${one}/package.json`));
    await cp(dirname(manifest), join(folder, 'node_modules', one), { recursive: true });
    const { dependencies: needed = {} } = JSON.parse(await readFile(manifest, 'utf8')) as {
      dependencies?: object;
    };
    for (const other of Object.keys(needed)) await add(other, createRequire(manifest));
  };
  return {
    folder,
    tarball,
    add,
    print: async (source: string) => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: folder });
      return stdout.trim();
    },
    compile: async (
      [program = '', ...before]: readonly string[],
      pages: readonly string[],
      options: string,
    ) => {
      const files = ['ts', 'tsx'].flatMap((kind) => {
        const examples = pages.flatMap((page) => blocksIn(readPage(page), kind));
        return examples.map((text, at) => [`example${at}.${kind}`, text] as const);
      });
      assert.ok(files.length >= pages.length);
      for (const [file, text] of files) await writeFile(join(folder, file), text);
      const names = files.map(([file]) => file);
      await run(program, [...before, ...`${STRICT} ${options}`.split(' '), ...names], { cwd: folder }).catch(
        (error: { stdout?: string }) => assert.fail(error.stdout),
      );
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What an app gets of each: how it loads in Node, and the pages that show it, which need these types. */
const PACKAGES = {
  client: {
    dependencies: [],
    program: `import { createClient } from 'gatehouse-client';
      const auth = createClient({ baseUrl: 'http://127.0.0.1:9' });
      await auth.ready;
      await auth.api.getProfile().catch(({ code }) => console.log(auth.getState().kind, code));`,
    prints: 'signed-out offline',
    pages: ['packages/client/README.md', 'docs/client.md'],
    types: { react: 'packages/client', '@types/react': 'packages/client' },
    options: '--lib es2022,dom --types react',
  },
  verify: {
    dependencies: ['jose'],
    program: `import { createVerifier } from 'gatehouse-verify';
      const verifier = createVerifier({ issuer: 'http://127.0.0.1:9', revocation: 'none' });
      console.log((await verifier.verify('no.token')).code);
      verifier.close();`,
    prints: 'token_invalid',
    pages: ['packages/verify/README.md'],
    types: { '@types/express': 'packages/http', '@types/node': '.' },
    options: '--lib es2022 --types node',
  },
};

for (const [name, { dependencies, program, prints, pages, types, options }] of Object.entries(PACKAGES))
  describe(`the packed gatehouse-${name}`, function () {
    this.timeout(180_000);
    const project = during(() => newProject(name, dependencies));
    const installed = () => join(project.folder, 'node_modules', `gatehouse-${name}`);

    it(`depends on nothing but ${JSON.stringify(dependencies)}, and loads in Node`, async () => {
      const manifest = await readFile(join(installed(), 'package.json'), 'utf8');
      const { dependencies: own = {} } = JSON.parse(manifest) as { dependencies?: object };
      assert.deepEqual(Object.keys(own), dependencies);
      assert.equal(await project.print(program), prints);
    });

    it('passes publint and attw', async () => {
      const { messages } = await publint({ pkgDir: installed(), pack: false, strict: true });
      assert.deepEqual(messages, []);
      const attw = join(ROOT, 'packages/e2e/node_modules/.bin/attw');
      await run(attw, [project.tarball, '--profile', 'esm-only', '--no-color']);
    });

    for (const [version, compiler] of COMPILERS)
      it(`lets the TypeScript of ${version} compile what ${pages.join(' and ')} show`, async () => {
        for (const [type, by] of Object.entries(types))
          await project.add(type, createRequire(join(ROOT, by, 'package.json')));
        await project.compile(compiler, pages, options);
      });
  });

describe('gatehouse-client in a page', function () {
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
