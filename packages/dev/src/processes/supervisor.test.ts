import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from '@gatehouse/runtime';
import { eventually, useFolder } from '@gatehouse/runtime/testing';
import { allEnded, Supervisor, type ManagedProcess } from './supervisor.ts';

const SLEEPING = 'echo up > $0.ready; while :; do sleep 0.05; done';

describe('Supervisor', () => {
  let supervisor: Supervisor;
  let messages: string[];
  afterEach(() => supervisor.stop());
  const at = useFolder();
  beforeEach(() => {
    messages = [];
    supervisor = new Supervisor(at(), (line) => messages.push(line));
  });

  /** A process that writes `ready` and sleeps. On SIGTERM it appends its name to `stopped`. */
  const script = (name: string, commands = SLEEPING): ManagedProcess => {
    const file = at(name);
    return {
      name,
      command: 'sh',
      args: ['-c', `trap 'echo ${name} >> ${at('stopped')}; exit 0' TERM; ${commands}`, file],
      env: { PATH: process.env['PATH'] },
      cwd: at(),
      isReady: () => Promise.resolve(existsSync(`${file}.ready`)),
      readySeconds: 5,
    };
  };
  const pid = (name: string): number => supervisor.processes().find((one) => one.name === name)?.pid ?? 0;

  it('restarts a process that died, with a message', async () => {
    await supervisor.start(script('one'));
    const first = pid('one');
    supervisor.kill('one');
    await eventually(() => messages.some((line) => line.includes('one is running again')));
    assert.notEqual(pid('one'), first);
    assert.match(messages[0] ?? '', /one ended \(SIGKILL\); restarting/);
  });

  it('leaves a held process down until it is released', async () => {
    await supervisor.start(script('one'));
    await supervisor.hold('one');
    assert.throws(() => process.kill(pid('one'), 0));
    assert.deepEqual(messages, []);
    await supervisor.release('one');
    process.kill(pid('one'), 0);
  });

  it('stops the processes in the reverse order of their starts', async () => {
    for (const name of ['one', 'two', 'three']) await supervisor.start(script(name));
    await supervisor.stop();
    assert.equal(readFileSync(at('stopped'), 'utf8'), 'three\ntwo\none\n');
  });

  it('shows the last log lines of a process that does not start', async () => {
    writeFileSync(supervisor.logFile('one'), 'from an earlier run\n');
    await assert.rejects(supervisor.start(script('one', 'echo no such table; exit 3')), (error: Error) => {
      assert.match(error.message, /one ended while it was starting[^]*no such table/);
      assert.doesNotMatch(error.message, /earlier/);
      return true;
    });
  });

  it('reports a missing program clearly', () =>
    assert.rejects(supervisor.start({ ...script('one'), command: '/nowhere/x' }), /cannot be started/));

  it('cancels a start when everything is stopped meanwhile', async () => {
    const started = assert.rejects(supervisor.start(script('one', 'sleep 60')), { name: 'Cancelled' });
    await supervisor.stop({ abrupt: true });
    await started;
  });

  it('reports clearly that a port is in use', async () => {
    const taken = createServer();
    const port = await listen(taken, { host: '127.0.0.1', port: 0 });
    const code = `require('node:net').createServer().listen(${port}, '127.0.0.1')`;
    const late = { ...script('late'), command: process.execPath, args: ['-e', code] };
    await assert.rejects(supervisor.start(late), {
      name: 'StackError',
      message: 'late cannot listen: another process took its port',
    });
    taken.close();
  });
});

describe('allEnded', () => {
  it('rejects only after all others have ended', async () => {
    let end = (): void => {};
    const other = new Promise<void>((resolve) => (end = resolve));
    let isSettled = false;
    const outcome = allEnded([Promise.reject(new Error('broken')), other]).catch((error: unknown) => {
      isSettled = true;
      return error;
    });
    await new Promise(setImmediate);
    assert.equal(isSettled, false);
    end();
    assert.match(String(await outcome), /broken/);
  });
});
