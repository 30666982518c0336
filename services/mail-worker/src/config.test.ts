import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { readWorkerConfig } from './config.ts';

const environment = {
  DATABASE_URL: 'postgres://localhost/x',
  AMQP_URL: 'amqp://localhost',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  MAIL_KEY: 'k'.repeat(32),
  PUBLIC_URL: 'https://gatehouse.example',
};

describe('readWorkerConfig', () => {
  it('reads the sender and the address of links', () => {
    const config = readWorkerConfig(environment);
    assert.deepEqual(config.from, { name: 'Gatehouse', address: 'no-reply@localhost' });
    assert.equal(config.publicUrl, 'https://gatehouse.example/');
    const { from } = readWorkerConfig({ ...environment, MAIL_FROM: 'a@b.example' });
    assert.deepEqual(from, { name: '', address: 'a@b.example' });
  });

  for (const [name, value] of [
    ['MAIL_FROM', 'Gatehouse'],
    ['MAIL_FROM', 'A <a@b.example>, B <b@b.example>'],
    ['MAIL_FROM', 'A\r\nBcc: x <a@b.example>'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'gatehouse.example'],
    ['SMTP_URL', 'http://localhost'],
    ['MAIL_KEY', 'short'],
  ] as const)
    it(`refuses ${JSON.stringify(value)} as ${name}, naming it`, () =>
      assert.throws(
        () => readWorkerConfig({ ...environment, [name]: value }),
        (error) => error instanceof ConfigError && error.message.includes(name),
      ));
});
