import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ROOT } from '../write-generated.ts';
import { breaksBetween, mayBreak, readSurface } from './surface.ts';

/** A part of `npm run check`: compares with the last release what is stable from 1.0.0 on. */
const tag = lastRelease();
if (tag === undefined) process.stdout.write('There is no release to compare with.\n');
else {
  const before = readSurface((path) => git('show', `${tag}:${path}`));
  const after = readSurface((path) => readFileSync(new URL(path, ROOT), 'utf8'));
  const breaks = breaksBetween(before, after);
  if (breaks.length > 0) {
    process.stdout.write(`Since ${tag}:\n${breaks.map((line) => `  ${line}\n`).join('')}`);
    if (!mayBreak(before.version, after.version)) {
      process.stdout.write('Only a new major version may break these (CHANGELOG.md).\n');
      process.exitCode = 1;
    }
  }
}

function lastRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match=v[0-9]*').trim();
  } catch {
    return undefined; // no tag, or no repository
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
