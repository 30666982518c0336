import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BuildFailed, type Bundles } from './bundle.ts';
import { writeOutputs } from './outputs.ts';

const GENERATOR = 'packages/codegen/src/openapi/generate.ts';
const BUNDLE = 'dist/generate.mjs';
const BYTES_MAX = 64 * 1024 * 1024;

/** The program that derives files from the routes, to be bundled with the others. None if the repository has no routes. */
export function generatorOf(root: string): Record<string, string> {
  return existsSync(join(root, GENERATOR)) ? { generate: GENERATOR } : {};
}

/**
 * Writes what is derived from the routes: the OpenAPI document, the types of clients, and the gateway's tables of paths.
 *
 * @returns the paths.
 * @throws {BuildFailed} if the routes are wrong.
 */
export function generate(root: string, { files }: Bundles): string[] {
  const bundle = files
    .map(({ path, contents }) => [relative(root, path), contents] as const)
    .filter(([path]) => path.startsWith(BUNDLE));
  if (bundle.length === 0) return [];
  writeOutputs(root, new Map(bundle), []);
  // A process of its own needs no loader of TypeScript, which would read all of it again.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', join(root, BUNDLE)],
    { encoding: 'utf8', maxBuffer: BYTES_MAX },
  );
  if (status !== 0) throw new BuildFailed(stderr);
  const generated = new Map(Object.entries(JSON.parse(stdout) as Record<string, string>)); // our own program
  writeOutputs(root, generated, []);
  return [...generated.keys()];
}
