import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../processes/node-process.ts';

describe('npm test', () => {
  for (const command of ['test', 'test:browser', 'test:nightly']) {
    for (const option of ['--help', '-h']) {
      it(`shows the help of ${command} with ${option}, and runs nothing`, () => {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [join(ROOT, 'packages/stack/run.mjs'), command, option],
          { encoding: 'utf8', timeout: 15_000 },
        );
        assert.deepEqual([status, stderr], [0, '']);
        assert.match(stdout, /npm run test:nightly/);
        assert.match(stdout, /npm run test:browser/);
        assert.doesNotMatch(stdout, /\d passed|mocha \[spec|✓/);
      });
    }
  }

  it('fails if our code causes a warning of Node, after all tests', () => {
    const warns =
      "it('warns', (done) => { process.emitWarning('look'); setTimeout(done, 1); }); it('ends', () => {});";
    const { status, stdout } = mochaRuns(warns);
    assert.equal(status, 1);
    assert.match(stdout, /2 passing[^]*1 failing[^]*Node warns about our code: Warning: look/);
    assert.equal(mochaRuns("it('ends', () => {});").status, 0);
  });
});

/** Runs these tests as `npm test` runs those of a file. */
function mochaRuns(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-warning-'));
  const file = join(folder, 'a.test.cjs');
  writeFileSync(file, text);
  const mocha = createRequire(join(ROOT, 'package.json')).resolve('mocha/bin/mocha.js');
  const setUp = fileURLToPath(new URL('worker-servers.cjs', import.meta.url));
  const args = [mocha, '--no-config', '--require', setUp, file];
  const env = { ...process.env, TEST_SERVERS: undefined };
  try {
    return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000, env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
