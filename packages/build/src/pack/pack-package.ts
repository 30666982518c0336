import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPrograms } from '../build-programs.ts';
import { isUpToDate } from '../outputs.ts';
import { ROOT } from '../programs.ts';

const run = promisify(execFile);
const COMPILER_OPTIONS =
  '--noEmit false --declaration --rewriteRelativeImportExtensions --rootDir src --outDir';

interface Manifest {
  name: string;
  repository: { type: string; directory: string };
  publishConfig: { exports: object };
}

/** Packs modules, declarations and a manifest with the exports of `publishConfig`. @returns the tarball's path. */
export async function packPackage(
  name: string,
  into = join(ROOT, 'dist/packed'),
  { version = '', repositoryUrl = '' } = {},
): Promise<string> {
  // The client contains generated files.
  if (!isUpToDate()) await buildPrograms();
  const folder = join(ROOT, 'packages', name);
  await mkdir(into, { recursive: true });
  const staged = await mkdtemp(join(tmpdir(), `pack-${name}-`));
  try {
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    await run(compiler, ['-p', '.', ...COMPILER_OPTIONS.split(' '), join(staged, 'dist')], { cwd: folder });
    const manifest = publishedManifest(await read(join(folder, 'package.json')), {
      version: version || (await read<{ version: string }>(join(ROOT, 'package.json'))).version,
      repositoryUrl,
    });
    await writeFile(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await cp(join(folder, 'README.md'), join(staged, 'README.md'));
    await cp(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', into], { cwd: staged });
    const [packed] = JSON.parse(stdout) as { filename: string }[]; // the output of npm
    const tarball = join(into, `gatehouse-${name}.tgz`);
    await rename(join(into, packed?.filename ?? ''), tarball);
    return tarball;
  } finally {
    await rm(staged, { recursive: true });
  }
}

/** The manifest of a package in this repository, as it is published. npm checks provenance against the repository. */
function publishedManifest(
  own: Manifest,
  { version, repositoryUrl }: Record<'version' | 'repositoryUrl', string>,
) {
  const {
    private: _,
    devDependencies: __,
    publishConfig,
    repository,
    ...rest
  } = own as Manifest & Record<'private' | 'devDependencies', unknown>; // they may be there
  return {
    ...rest,
    version,
    ...publishConfig,
    ...(repositoryUrl !== '' && { repository: { ...repository, url: `git+${repositoryUrl}.git` } }),
  };
}

async function read<T = Manifest>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T; // our own file
}
