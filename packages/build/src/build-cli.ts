import { BuildFailed } from './bundle.ts';
import { buildPrograms } from './build-programs.ts';
import { isUpToDate } from './outputs.ts';
import { PROGRAMS, SHIPPED_PROGRAMS } from './programs.ts';

/** `npm run build`, as `npm start` does if something has changed. `--shipped`: only the programs of the images. */
const programs = process.argv.includes('--shipped') ? SHIPPED_PROGRAMS : PROGRAMS;
const begun = performance.now();
try {
  if (isUpToDate({ programs })) process.stdout.write('✓ dist/ is up to date\n');
  else {
    await buildPrograms({ programs });
    process.stdout.write(`✓ built into dist/ (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
  }
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  process.stderr.write(`${error.message}\n✗ build failed\n`);
  process.exitCode = 1;
}
