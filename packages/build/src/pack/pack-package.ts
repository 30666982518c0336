import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../programs.ts';

const run = promisify(execFile);
const COMPILER_OPTIONS =
  '--noEmit false --declaration --rewriteRelativeImportExtensions --rootDir src --outDir dist';

/**
 * Packs a package for apps: modules and declarations by the compiler, and a tarball by pnpm, which takes the exports
 * from `publishConfig`.
 *
 * @returns the path of the tarball.
 */
export async function packPackage(name: string, into = join(ROOT, 'dist/packed')): Promise<string> {
  const folder = join(ROOT, 'packages', name);
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  await run(compiler, ['-p', '.', ...COMPILER_OPTIONS.split(' ')], { cwd: folder });
  const { packageManager: pnpm } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    packageManager: string; // with its version
  };
  const tarball = join(into, `gatehouse-${name}.tgz`);
  await run('npx', ['-y', pnpm, 'pack', '--out', tarball], { cwd: folder });
  return tarball;
}
