import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { testAuthority, testLog } from '@gatehouse/runtime/testing';
import { createPublisher } from '../publisher.ts';

describe('settings of TLS to RabbitMQ', () => {
  it('refuse a certificate authority at startup if TLS is off', () => {
    const wanted = { url: 'amqp://localhost', ca: testAuthority().pem, log: testLog() };
    assert.throws(() => createPublisher(wanted), ConfigError);
  });
});
