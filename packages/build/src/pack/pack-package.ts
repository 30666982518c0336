import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../programs.ts';

const run = promisify(execFile);

/** The fields of a package.json that are used here. */
interface Manifest {
  version: string;
  exports: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/**
 * Packs a package for apps: modules built by esbuild from its exports, declarations by the compiler, and a tarball of
 * both.
 *
 * @returns the path of the tarball.
 */
export async function packPackage(name: string, into = join(ROOT, 'dist/packed')): Promise<string> {
  const source = join(ROOT, 'packages', name);
  const folder = join(into, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest; // one of our packages
  await writeModules(source, folder, manifest);
  await writeDeclarations(source, folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(published(manifest, name), undefined, 2));
  await cp(join(source, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
    cwd: folder,
  });
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[]; // documented by npm
  const tarball = join(into, `gatehouse-${name}.tgz`);
  await rename(join(into, filename), tarball);
  return tarball;
}

async function writeModules(source: string, folder: string, manifest: Manifest): Promise<void> {
  const { build, stop } = await import('esbuild');
  await build({
    absWorkingDir: source,
    entryPoints: Object.values(manifest.exports),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    external: [
      'node:*',
      ...Object.keys({ ...manifest.peerDependencies, ...(manifest['dependencies'] as object | undefined) }),
    ],
    chunkNames: '[name]',
    tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
    logLevel: 'silent',
  });
  await stop();
}

/** Writes one declaration file per source. Their imports are changed to `.js`. */
async function writeDeclarations(source: string, folder: string): Promise<void> {
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    join(source, 'src'),
  ];
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', source, ...options, '--outDir', folder]);
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(
      join(folder, file),
      text.replaceAll(/((?:from |import\()['"]\.{1,2}\/[\w./-]+)\.ts(?=['"])/g, '$1.js'),
    );
  }
}

/** The package.json for apps. */
function published({ private: _, devDependencies: __, exports, ...rest }: Manifest, name: string): object {
  const faces = Object.entries(exports).map(([face, path]) => {
    const file = path.replace('./src/', './').replace('.ts', '');
    return [face, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return {
    ...rest,
    exports: { ...(Object.fromEntries(faces) as object), './package.json': './package.json' },
    repository: { type: 'git', directory: `packages/${name}` },
    engines: { node: '>=20' },
  };
}
