import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { during, eventually } from '@gatehouse/runtime/testing';
import { StackError } from '../command.ts';
import { call, testGateway } from '../testing/index.ts';
import { gatewayValues } from './gateway.ts';

const CLIENTS_MAX = 3;

describe('what one client can occupy of the gateway', () => {
  const settings = {
    CONNECTIONS_PER_ADDRESS: String(CLIENTS_MAX),
    GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    GATEWAY_WORKERS: '3',
  };
  const gate = during(() => testGateway({ settings }));
  const opened: Socket[] = [];
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  /** Begins a request whose body never ends. */
  const begin = (head: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const text = `POST /account/login HTTP/1.1\r\nHost: x\r\n${head}`;
      const socket = connect(gate.ports.gateway, '127.0.0.1', () => socket.write(text, () => resolve()));
      socket.on('error', reject).resume();
      opened.push(socket);
    });
  const statusFor = async (client: string): Promise<number> =>
    (await call(gate.ports.gateway, '/ping', { headers: { 'X-Forwarded-For': client } })).status;

  /** Begins requests until `client` is refused. On a busy machine some may end early: others follow. */
  const occupy = async (client: string, addressOf: (count: number) => string): Promise<void> => {
    let count = 0;
    await eventually(async () => {
      await begin(`X-Forwarded-For: ${addressOf(count)}\r\nContent-Length: 2\r\n\r\n{`);
      count += 1;
      return (await statusFor(client)) === 429;
    });
    assert.ok(count >= CLIENTS_MAX && count <= 2 * CLIENTS_MAX, `refused after ${count}`);
  };

  it('is not its disk: bodies go to the service as they arrive', async () => {
    const chunks = '1\r\nx\r\n'.repeat(30_000);
    const length = 'x'.repeat(100_000);
    await begin(`X-Forwarded-For: 203.0.113.1\r\nContent-Length: 110000\r\n\r\n${length}`);
    await begin(`X-Forwarded-For: 203.0.113.2\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    await eventually(() => gate.bodyBytes() === 130_000);
    assert.deepEqual(readdirSync(join(gate.home, 'body')), []);
  });

  it('is a bounded number of requests, also behind a proxy, and others are served', async () => {
    await occupy('203.0.113.7', () => '203.0.113.7');
    const from = { 'X-Forwarded-For': '203.0.113.7' };
    const { headers, body } = await call(gate.ports.gateway, '/ping', { headers: from });
    assert.equal(headers['retry-after'], '2');
    assert.equal((JSON.parse(body) as { code: string }).code, 'too_many_requests');
    for (const other of ['203.0.113.8', '2001:db8::1']) assert.equal(await statusFor(other), 200);
    for (const socket of opened.splice(0)) socket.destroy();
    await eventually(async () => (await statusFor('203.0.113.7')) === 200);
  });

  it('is shared by the addresses of an IPv6 network that it chooses from', async () => {
    await occupy('2001:db8:0:1:ffff::7', (nth) => `2001:db8:0:1:${nth}::a`);
    assert.equal(await statusFor('2001:db8:0:2::7'), 200);
  });

  it('is of as many workers as are set', () =>
    eventually(() => {
      const parents = execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' }).split('\n');
      return parents.filter((parent) => Number(parent) === gate.pid).length === 3;
    }));

  for (const [name, standard] of [
    ['CONNECTIONS_PER_ADDRESS', '1000'],
    ['GATEWAY_WORKERS', 'auto'],
  ] as const)
    it(`is by default ${name}=${standard}, and only a number can be set`, () => {
      assert.equal(gatewayValues({})[name], standard);
      for (const wrong of ['0', '-1', '1.5', 'many', '5; daemon on', '100000'])
        assert.throws(() => gatewayValues({ [name]: wrong }), StackError, wrong);
    });
});
