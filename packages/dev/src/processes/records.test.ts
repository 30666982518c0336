import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim, launcherOf, record, stopLeftovers } from './records.ts';
import { StackError } from '../output/stack-error.ts';

describe('records', () => {
  let folder: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'records-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const sleeper = (name: string): { pid: number; ended: Promise<unknown> } => {
    const child = spawn('sleep', ['60'], { detached: true });
    children.push(child);
    assert.ok(child.pid);
    record(folder, { name, stopSignal: 'SIGTERM' }, child.pid);
    return { pid: child.pid, ended: new Promise((resolve) => child.once('exit', (_, how) => resolve(how))) };
  };

  it('stops processes left by a killed launcher', async () => {
    const left = sleeper('core');
    assert.deepEqual(await stopLeftovers(folder), ['core']);
    assert.equal(await left.ended, 'SIGTERM');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('does not stop an unrelated process with a reused pid', async () => {
    const { pid } = sleeper('core');
    const file = join(folder, 'core.json');
    const entry = JSON.parse(readFileSync(file, 'utf8')) as { identity: string };
    writeFileSync(file, JSON.stringify({ ...entry, identity: `other-${entry.identity}` }));
    assert.deepEqual(await stopLeftovers(folder), []);
    process.kill(pid, 0);
  });

  it('locks the folder for one launcher at a time', () => {
    const giveBack = claim(folder);
    assert.equal(launcherOf(folder), process.pid);
    assert.throws(() => claim(folder), StackError);
    giveBack();
    claim(folder)();
  });

  it('takes over the folder of a killed launcher', () => {
    writeFileSync(
      join(folder, 'launcher.json'),
      JSON.stringify({ pid: process.pid, identity: 'another boot' }),
    );
    claim(folder)();
  });
});
