import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { readBrokerUrls } from './broker-settings.ts';
import { testAuthority, testLog } from '@gatehouse/runtime/testing';
import { createPublisher } from '../publisher.ts';

describe('AMQP_URL', () => {
  it('names one broker, or the nodes of a cluster', () => {
    assert.deepEqual(readBrokerUrls('amqp://u:p@one'), { urls: ['amqp://u:p@one'], isTls: false });
    const urls = ['amqps://u:p,p@one/v', 'amqps://u:p,p@two/v'];
    assert.deepEqual(readBrokerUrls(urls.join(', ')), { urls, isTls: true });
  });

  it('must use TLS for all nodes or none, and its error contains no password', () => {
    const isQuiet = (error: unknown) => error instanceof ConfigError && !error.message.includes('canary');
    for (const text of ['amqp://u:canary@one,amqps://u:canary@two', 'amqp://u:canary@one:port'])
      assert.throws(() => readBrokerUrls(text), isQuiet);
  });
});

describe('settings of TLS to RabbitMQ', () => {
  it('refuse a certificate authority at startup if TLS is off', () => {
    const wanted = { url: 'amqp://localhost', ca: testAuthority().pem, log: testLog() };
    assert.throws(() => createPublisher(wanted), ConfigError);
  });
});
