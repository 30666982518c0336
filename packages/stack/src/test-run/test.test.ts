import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../processes/node-process.ts';

describe('npm test', () => {
  for (const command of ['test', 'test:browser', 'test:faults', 'test:attacks']) {
    for (const option of ['--help', '-h']) {
      it(`shows the help of ${command} with ${option}, and runs nothing`, () => {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [join(ROOT, 'packages/stack/run.mjs'), command, option],
          { encoding: 'utf8', timeout: 15_000 },
        );
        assert.deepEqual([status, stderr], [0, '']);
        assert.match(stdout, /npm run test:faults/);
        assert.match(stdout, /npm run test:attacks/);
        assert.match(stdout, /npm run test:browser/);
        assert.doesNotMatch(stdout, /\d passed|mocha \[spec|✓/);
      });
    }
  }
});
