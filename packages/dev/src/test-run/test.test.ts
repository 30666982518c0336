import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endings, useFolder } from '@gatehouse/runtime/testing';
import { marked, stopLeftRunning } from '../processes/leftovers.ts';
import { ROOT } from '../command.ts';

const RUN = join(ROOT, 'packages/dev/run.mjs');

describe('npm test', () => {
  const atEnd = endings();
  const at = useFolder();

  it('stops everything that it started when nobody reads its output any more', async () => {
    const folder = at();
    chmodSync(folder, 0o755); // servers run as other users
    const child = spawn(process.execPath, [RUN, 'test', 'packages/schema/src/email.test.ts'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...marked(folder), TMPDIR: folder },
    });
    atEnd(() => stopLeftRunning(folder));
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    assert.deepEqual(await exit, [1, null]);
    // The folder of the servers is removed when all of them have ended.
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('gatehouse-test-')));
  });

  it('fails if our code causes a warning of Node, after all tests', () => {
    const warns =
      "it('warns', (done) => { process.emitWarning('look'); setTimeout(done, 1); }); it('ends', () => {});";
    const file = at('a.test.cjs');
    const { status, stdout } = mochaRuns(file, warns);
    assert.equal(status, 1);
    assert.match(stdout, /2 passing[^]*1 failing[^]*Node warns about our code: Warning: look/);
    assert.equal(mochaRuns(file, "it('ends', () => {});").status, 0);
  });
});

/** Runs these tests as `npm test` runs those of a file. */
function mochaRuns(file: string, text: string) {
  writeFileSync(file, text);
  const mocha = createRequire(join(ROOT, 'package.json')).resolve('mocha/bin/mocha.js');
  const setUp = fileURLToPath(new URL('worker-servers.cjs', import.meta.url));
  const args = [mocha, '--no-config', '--require', setUp, file];
  const env = { ...process.env, TEST_SERVERS: undefined };
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000, env });
}
