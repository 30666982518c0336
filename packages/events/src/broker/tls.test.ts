import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import {
  eventually,
  testAuthority,
  testLog,
  testServers,
  openTlsProxy,
  type TlsProxy,
} from '@gatehouse/runtime/testing';
import { createPublisher } from '../publisher.ts';
import { testBroker, type TestBroker } from '../testing/index.ts';

describe('TLS to RabbitMQ', () => {
  const authority = testAuthority();
  const undo: (() => unknown)[] = [];
  let broker: TestBroker;
  before(async () => {
    broker = await testBroker();
  });
  after(async () => {
    for (const one of undo.toReversed()) await one();
    await broker.drop();
  });

  const startProxy = async (name: string): Promise<TlsProxy> => {
    const proxy = await openTlsProxy(testServers().TEST_AMQP_URL, authority.issue(name));
    undo.push(() => proxy.close());
    return proxy;
  };
  const open = (port: number, ca: string | undefined) => {
    const log = testLog();
    const { username, password } = new URL(testServers().TEST_AMQP_URL);
    const url = `amqps://${username}:${password}@localhost:${port}`;
    const publisher = createPublisher({ url, ca, log, topology: broker.topology });
    undo.push(() => publisher.close());
    return { isReady: () => publisher.isReady(), logged: () => JSON.stringify(log.lines) };
  };

  it('trusts the configured certificate authority', async () => {
    const { isReady } = open((await startProxy('localhost')).port, authority.pem);
    await eventually(isReady);
  });

  for (const [what, name, ca, reason] of [
    ['another authority', 'localhost', testAuthority().pem, 'certificate'],
    ['an authority that nobody named', 'localhost', undefined, 'certificate'],
    ['another host', 'elsewhere.example', authority.pem, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    it(`sends no password to a server of ${what}, and logs why`, async () => {
      const at = await startProxy(name);
      const { isReady, logged } = open(at.port, ca);
      await eventually(() => logged().includes(reason));
      assert.equal(isReady(), false);
      assert.equal(at.heard(), '');
    });
  }

  it('sends no password to a server without TLS', async () => {
    const { isReady, logged } = open(Number(new URL(testServers().TEST_AMQP_URL).port), authority.pem);
    await eventually(() => logged().includes('message broker unavailable, retrying'));
    assert.equal(isReady(), false);
  });

  it('refuses a certificate authority at startup if TLS is off', () => {
    const wanted = { url: 'amqp://localhost', ca: authority.pem, log: testLog() };
    assert.throws(() => createPublisher(wanted), ConfigError);
  });
});
