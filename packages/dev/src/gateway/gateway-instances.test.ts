import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { during, eventually } from '@gatehouse/runtime/testing';
import { portOf } from '../stack/ports.ts';
import { call, testGateway } from '../testing/index.ts';

describe('the gateway before two instances of each service', () => {
  const gate = during(() => testGateway({ scale: 2 }));

  const ask = (path: string, method = 'POST') => call(gate.ports.gateway, path, { method });
  const answering = async (): Promise<unknown> => (await ask('/account/ping')).headers['x-service'];

  it('uses both', async () => {
    const seen = new Set<unknown>();
    await eventually(async () => seen.add(await answering()).size === 2);
    assert.deepEqual(seen, new Set(['core', 'core-2']));
  });

  it('never retries a write that may have been done on the other instance', async () => {
    assert.equal((await ask('/account/login?break')).status, 503);
    const broken = gate.seen.filter((line) => line.includes('login?break'));
    assert.deepEqual(broken, ['POST /account/login?break']);
  });

  it('retries a read on the other instance', async () => {
    assert.equal((await ask('/person?break', 'GET')).status, 503);
    assert.equal(gate.seen.filter((line) => line.includes('person?break')).length, 2);
  });

  it('looks for a file of the pages on both, as an upgrade has two versions of them, and for nothing else', async () => {
    for (const [path, tries] of [
      ['/web/pages.js', 2],
      ['/person', 1],
    ] as const) {
      assert.equal((await ask(`${path}?status=404`, 'GET')).status, 404);
      assert.equal(gate.seen.filter((line) => line.includes(`${path}?status=404`)).length, tries, path);
    }
  });

  it('fails no request while one of them is down, and uses it again when it is back', async () => {
    await gate.stopService('core');
    for (let turn = 0; turn < 20; turn++) assert.equal(await answering(), 'core-2');
    await gate.startService('core');
    await eventually(async () => (await answering()) === 'core');
  });

  it('fails no request while the machine of one of them is gone', async () => {
    await gate.stopService('core', 1);
    const gone = await listenInVain(portOf(gate.ports, 'core', 1));
    try {
      for (let turn = 0; turn < 10; turn++) {
        const { status, headers } = await ask('/account/login');
        assert.deepEqual([status, headers['x-service']], [200, 'core-2']);
      }
    } finally {
      await gone.stop();
    }
    await gate.startService('core');
    await eventually(async () => (await answering()) === 'core');
  });

  it('recovers at once after both were down', async () => {
    await gate.stopService('core', 1);
    await gate.stopService('core', 2);
    for (let turn = 0; turn < 10; turn++) assert.equal((await ask('/account/ping')).status, 503);
    await gate.startService('core', 1);
    await gate.startService('core', 2);
    await eventually(async () => (await ask('/account/ping')).status === 200, 5);
  });
});

/** A port at which no connection is ever made, and none refused: its process is frozen, and its queue full. */
async function listenInVain(port: number): Promise<{ stop: () => Promise<unknown> }> {
  const listen = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => console.log('.'))`;
  const frozen = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(frozen.stdout, 'data');
  frozen.kill('SIGSTOP');
  const queue = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await eventually(() => queue.some((socket) => !socket.connecting));
  return {
    stop: () => {
      for (const socket of queue) socket.destroy();
      frozen.kill('SIGKILL');
      return once(frozen, 'exit');
    },
  };
}
