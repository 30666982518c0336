import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { marked, stopLeftRunning } from './left-running.ts';

const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`;

describe('stopLeftRunning', () => {
  it('kills processes left by a run, including grandchildren, and no others', async () => {
    const mine = await start(
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: 'inherit', detached: true })`,
      'run-1',
    );
    const other = await start(STUBBORN, 'run-2');
    const stopped = stopLeftRunning('run-1');
    assert.equal(stopped.length, 2, stopped.join('\n'));
    await once(mine, 'close');
    assert.equal(mine.signalCode, 'SIGKILL');
    assert.equal(other.exitCode, null);
    assert.equal(stopLeftRunning('run-2').length, 1);
    await once(other, 'close');
  });
});

/** Resolves when the process has reported that it is ready. */
async function start(script: string, run: string) {
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...marked(run) },
  });
  await once(child.stdout, 'data');
  return child;
}
