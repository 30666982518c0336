import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { connectDb, query } from '@gatehouse/db';
import { createPublisher } from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { during, eventually, openTlsProxy } from '@gatehouse/runtime/testing';
import { testAuthority, testLog, testServers } from '@gatehouse/runtime/testing';
import { openRedis } from '@gatehouse/redis';

const { postgresUrl, redisUrl, amqpUrl } = testServers();

/** Connects with TLS to `localhost` at this port. Returns whether the server could be used, or why not. */
type Connect = (port: number, ca: string | undefined) => Promise<'used' | { failure: string }>;

describe('TLS', () => {
  const authority = testAuthority();
  const broker = during(() => testBroker());

  const postgres =
    (mode: string): Connect =>
    async (port, ca) => {
      const url = secured(postgresUrl, 'postgres:', port);
      const db = connectDb({ url: `${url}?sslmode=${mode}`, ca, applicationName: 'tls', poolMax: 1 });
      try {
        await query(db, 'select 1');
        return 'used';
      } catch (error) {
        return { failure: inspect(error) };
      } finally {
        await db.destroy();
      }
    };
  const redis: Connect = async (port, ca) => {
    const log = testLog();
    const urls = secured(redisUrl, 'rediss:', port);
    const opened = openRedis({ urls, isCluster: false, ca, log });
    try {
      return await eventually(async () => {
        const failed = log.lines.some(({ message }) => message === 'redis connection error');
        if (failed) return { failure: JSON.stringify(log.lines) };
        return await opened.ping().then(
          () => 'used' as const,
          () => false as const,
        );
      });
    } finally {
      opened.disconnect();
    }
  };
  const rabbitmq: Connect = async (port, ca) => {
    const log = testLog();
    const url = secured(amqpUrl, 'amqps:', port);
    const publisher = createPublisher({ url, ca, log, topology: broker.topology });
    try {
      return await eventually(() => {
        const failed = log.lines.some(({ message }) => message === 'message broker unavailable, retrying');
        return failed ? { failure: JSON.stringify(log.lines) } : publisher.isReady() && 'used';
      });
    } finally {
      await publisher.close();
    }
  };

  for (const [name, url, connect] of [
    ['Postgres (sslmode=verify-full)', postgresUrl, postgres('verify-full')],
    ['Postgres (sslmode=verify-ca)', postgresUrl, postgres('verify-ca')],
    ['Postgres (sslmode=require)', postgresUrl, postgres('require')],
    ['Redis', redisUrl, redis],
    ['RabbitMQ', amqpUrl, rabbitmq],
  ] as const) {
    describe(`to ${name}`, () => {
      const through = async (host: string, ca: string | undefined) => {
        const asksFirst = url === postgresUrl;
        const proxy = await openTlsProxy(url, authority.issue(host), { asksFirst });
        const result = await connect(proxy.port, ca);
        await proxy.close();
        return { result, heard: proxy.heard() };
      };

      it('trusts the configured certificate authority', async () => {
        const { result, heard } = await through('localhost', authority.pem);
        assert.equal(result, 'used');
        assert.notEqual(heard, '');
      });

      for (const [what, host, ca] of [
        ['another authority', 'localhost', testAuthority().pem],
        ['an authority that nobody named', 'localhost', undefined],
        ['another host', 'elsewhere.example', authority.pem],
      ] as const) {
        it(`sends nothing to a server of ${what}, and says why`, async () => {
          const { result, heard } = await through(host, ca);
          assert.ok(result !== 'used' && /certificate|CERT/.test(result.failure), JSON.stringify(result));
          assert.equal(heard, '');
        });
      }

      it('does not continue without TLS', async () => {
        assert.notEqual(await connect(Number(new URL(url).port), authority.pem), 'used');
      });
    });
  }
});

/** The URL of a server with its login, by this protocol, on `localhost` at this port. */
function secured(url: string, protocol: string, port: number): string {
  const { username, password, pathname } = new URL(url);
  const login = username === '' && password === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${login}localhost:${port}${pathname}`;
}
