import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Launcher from '@gatehouse/dev';

/** A release in a folder of its own, built, with the launcher that it came with. */
export interface PreviousRelease {
  /** The tag, or `HEAD` if there is none yet. */
  name: string;
  startStack: typeof Launcher.startStack;
  /** The arguments with which Node runs one of its services. */
  argumentsOf(service: string): string[];
  remove(): void;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);
const BUILD_MS = 300_000;

/**
 * Builds the last release that this tree follows. Before the first release that is the last commit, so that the way of
 * an upgrade is tested although nothing differs.
 */
export async function previousRelease(): Promise<PreviousRelease> {
  const name = await lastTag();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-previous-'));
  const archive = `${folder}.tar`;
  await run('git', ['archive', `--output=${archive}`, name], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  await run('npm', ['run', 'build'], { cwd: folder, timeout: BUILD_MS });
  const launcher = pathToFileURL(join(folder, 'packages/dev/src/index.ts')).href;
  const { startStack } = (await import(launcher)) as typeof Launcher; // the same package
  return {
    name,
    startStack,
    argumentsOf: (service) => ['--enable-source-maps', join(folder, 'dist', service, 'main.mjs')],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function lastTag(): Promise<string> {
  const { stdout } = await run('git', ['tag', '--merged', 'HEAD', '--sort=-version:refname', 'v*'], {
    cwd: ROOT,
  });
  return stdout.split('\n')[0] || 'HEAD';
}
