import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { during, eventually } from '@gatehouse/runtime/testing';
import { bindAddressOf, gatewayValues, listenOn } from './gateway.ts';
import { ROOT } from '../command.ts';
import { call, testGateway, type Seen } from '../testing/index.ts';

const PROXY = '127.0.0.1';
const OTHER_PROXY = '10.1.2.3';
const STRANGER = '127.0.0.9';

describe('the gateway behind proxies that it trusts', () => {
  const settings = { GATEWAY_TRUSTED_PROXIES: `${PROXY}, 10.0.0.0/8,2001:db8:1::/48` };
  const gate = during(() => testGateway({ settings }));

  const headersFor = async (
    forwardedFor: string | string[] | undefined,
    options: { from?: string; more?: Record<string, string> } = {},
  ): Promise<Seen['headers']> => {
    const own = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
    const headers = { ...options.more, ...own };
    const { body } = await call(gate.ports.gateway, '/ping', { headers, from: options.from ?? PROXY });
    return (JSON.parse(body) as Seen).headers;
  };

  for (const [what, forwardedFor, client] of [
    ['the one address', '203.0.113.7', '203.0.113.7'],
    ['an IPv6 address', '2001:db8:2::7', '2001:db8:2::7'],
    ['an address with its port', '203.0.113.7:50123', '203.0.113.7'],
    ['the last, where the client invented one before it', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['the last that is no proxy', `203.0.113.7, ${OTHER_PROXY}, 2001:db8:1::5`, '203.0.113.7'],
    ['the last of several lines', ['198.51.100.1', `203.0.113.7, ${OTHER_PROXY}`], '203.0.113.7'],
    ['the last of a hundred', `${'198.51.100.1, '.repeat(99)}203.0.113.7`, '203.0.113.7'],
    ['the first, where all are proxies', `10.9.9.9, ${OTHER_PROXY}`, '10.9.9.9'],
    ['the peer, where there is no header', undefined, PROXY],
    ['the peer, where the header is empty', '', PROXY],
    ['the peer, where the last hop is no address', '203.0.113.7, unknown', PROXY],
    ['the hop before junk', `junk', ${OTHER_PROXY}`, OTHER_PROXY],
  ] as const)
    it(`trusts ${what}`, async () => {
      const headers = await headersFor(typeof forwardedFor === 'object' ? [...forwardedFor] : forwardedFor);
      assert.equal(headers['x-forwarded-for'], client);
    });

  it('trusts nobody else', async () => {
    const headers = await headersFor('203.0.113.7', { from: STRANGER });
    assert.equal(headers['x-forwarded-for'], STRANGER);
  });

  it('passes on no other header about the client, not even from a proxy', async () => {
    const names = ['X-Real-IP', 'Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port'];
    for (const from of [PROXY, STRANGER]) {
      const more = Object.fromEntries(names.map((name) => [name, 'forged']));
      const headers = await headersFor('203.0.113.7', { from, more });
      for (const name of names) assert.equal(headers[name.toLowerCase()], undefined, name);
    }
  });

  it('logs the client’s address', async () => {
    await headersFor('203.0.113.99');
    await eventually(() => readFileSync(gate.log, 'utf8').includes('"address":"203.0.113.99"'));
  });
});

describe('the gateway at every address of IPv4 and IPv6', () => {
  const gate = during(() => testGateway({ settings: { BIND_ADDRESS: '::' } }));

  it('tells the services a client’s address as it is', async () => {
    for (const from of ['127.0.0.1', '127.0.0.2', '::1']) {
      for (const port of [gate.ports.gateway, gate.ports.adminGateway]) {
        const { body } = await call(port, '/docs', { from });
        assert.equal((JSON.parse(body) as Seen).headers['x-forwarded-for'], from);
      }
    }
  });
});

describe('GATEWAY_TRUSTED_PROXIES', () => {
  it('is rendered the same for the nginx image, as are the addresses at which that listens', () => {
    const inImage = (list: string, name = 'GATEWAY_REAL_IP'): string =>
      execFileSync('sh', ['-c', `. "$0"; printf %s "$${name}"`, script], {
        env: { GATEWAY_TRUSTED_PROXIES: list },
        stdio: ['ignore', 'pipe', 'pipe'],
      }).toString();
    const script = join(ROOT, 'services/gateway/15-addresses.envsh');
    const every = bindAddressOf({ BIND_ADDRESS: '::' });
    assert.equal(inImage('', 'GATEWAY_LISTEN'), listenOn(every, 8080));
    assert.equal(inImage('', 'ADMIN_LISTEN'), listenOn(every, 8090));
    for (const list of ['', '10.0.0.0/8', ' 10.0.0.0/8, 192.0.2.7/32 ,2001:db8::/32,'])
      assert.equal(inImage(list), gatewayValues({ GATEWAY_TRUSTED_PROXIES: list })['GATEWAY_REAL_IP'], list);
    for (const entry of ['10.0.0.1;', 'proxy.example', '*', '$(id)']) {
      assert.throws(() => inImage(entry), entry);
      assert.throws(() => gatewayValues({ GATEWAY_TRUSTED_PROXIES: entry }), { name: 'StackError' });
    }
  });
});
