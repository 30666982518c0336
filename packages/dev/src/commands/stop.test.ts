import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { eventually, useFolder } from '@gatehouse/runtime/testing';
import { nodeArguments } from '../testing/node-process.ts';
import { launcherOf } from '../processes/leftovers.ts';
import { stop } from './stop.ts';

/** A launcher with one process; SIGTERM stops both. */
const LAUNCHER = `
import { claim, removeRecord, record } from '${new URL('../processes/leftovers.ts', import.meta.url).href}';
import { spawn } from 'node:child_process';
const [folder] = process.argv.slice(-1);
const giveBack = claim(folder);
const child = spawn('sleep', ['60'], { detached: true });
record(folder, { name: 'core', stopSignal: 'SIGTERM' }, child.pid);
process.on('SIGTERM', () => {
  child.kill();
  removeRecord(folder, 'core');
  giveBack();
  process.exit();
});
process.stdout.write('ready');
`;

describe('npm stop', () => {
  const at = useFolder();
  let lines: string[];
  beforeEach(() => void (lines = []));
  const say = (line: string): void => void lines.push(line);

  const launch = async () => {
    const evaluate = ['--input-type=module', '--eval', LAUNCHER, '--', at()];
    const child = spawn(process.execPath, [...nodeArguments('').slice(0, -1), ...evaluate], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return child;
  };

  it('reports when nothing is running', async () => {
    await stop(at('none'), say);
    await stop(at(), say);
    assert.deepEqual(lines, Array(2).fill('No stack is running from this folder.'));
    assert.ok(!existsSync(at('none')));
  });

  it('stops the running launcher, and waits until it has ended', async () => {
    const child = await launch();
    await stop(at(), say);
    assert.deepEqual(lines, [`… stopping the stack (process ${child.pid})`, '✓ stopped']);
    assert.deepEqual(readdirSync(at()), []);
    await eventually(() => child.exitCode === 0);
  });

  it('stops processes left by a killed launcher', async () => {
    const child = await launch();
    child.kill('SIGKILL');
    await eventually(() => launcherOf(at()) === undefined);
    await stop(at(), say);
    assert.deepEqual(lines, ['✓ stopped processes left by an earlier stack: core']);
    assert.deepEqual(readdirSync(at()), []);
  });
});
