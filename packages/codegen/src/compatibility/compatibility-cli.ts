import { readFileSync } from 'node:fs';
import { ROOT } from '../write-generated.ts';
import { breaksBetween, LAST_RELEASE, mayBreak, readSurface, type Surface } from './surface.ts';

/** A part of `npm run check`: compares with the last release what is stable from 1.0.0 on. */
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const before = JSON.parse(read(LAST_RELEASE)) as Surface; // written by `surfaceText`
const after = readSurface(read);
const breaks = breaksBetween(before, after);
if (breaks.length > 0) {
  process.stdout.write(`Since ${before.version}:\n${breaks.map((line) => `  ${line}\n`).join('')}`);
  if (!mayBreak(before.version, after.version)) {
    process.stdout.write('Only a new major version may break these (CHANGELOG.md).\n');
    process.exitCode = 1;
  }
}
