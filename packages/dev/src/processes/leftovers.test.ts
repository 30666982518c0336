import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { useFolder } from '@gatehouse/runtime/testing';
import { StackError } from '../command.ts';
import { claim, launcherOf, marked, record, stopLeftovers, stopLeftRunning } from './leftovers.ts';

describe('records', () => {
  const at = useFolder();
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  const sleeper = (name: string): { pid: number; ended: Promise<unknown> } => {
    const child = spawn('sleep', ['60'], { detached: true });
    children.push(child);
    assert.ok(child.pid);
    record(at(), { name, stopSignal: 'SIGTERM' }, child.pid);
    return { pid: child.pid, ended: new Promise((resolve) => child.once('exit', (_, how) => resolve(how))) };
  };

  it('stops processes left by a killed launcher', async () => {
    const left = sleeper('core');
    assert.deepEqual(await stopLeftovers(at()), ['core']);
    assert.equal(await left.ended, 'SIGTERM');
    assert.deepEqual(readdirSync(at()), []);
  });

  it('does not stop an unrelated process with a reused pid', async () => {
    const { pid } = sleeper('core');
    const file = at('core.json');
    const entry = JSON.parse(readFileSync(file, 'utf8')) as { identity: string };
    writeFileSync(file, JSON.stringify({ ...entry, identity: `other-${entry.identity}` }));
    assert.deepEqual(await stopLeftovers(at()), []);
    process.kill(pid, 0);
  });

  it('locks the folder for one launcher at a time', () => {
    const giveBack = claim(at());
    assert.equal(launcherOf(at()), process.pid);
    assert.throws(() => claim(at()), StackError);
    giveBack();
    claim(at())();
  });

  it('takes over the folder of a killed launcher', () => {
    const other = JSON.stringify({ pid: process.pid, identity: 'another boot' });
    writeFileSync(at('launcher.json'), other);
    claim(at())();
  });
});

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
