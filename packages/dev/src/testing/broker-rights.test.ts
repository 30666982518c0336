import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Consumer,
  createEventReader,
  createPublisher,
  eventFacts,
  hookTopologyOf,
  newEvent,
  topologyOf,
  type AnyEvent,
} from '@gatehouse/events';
import { during, eventually, testFolder, testLog } from '@gatehouse/runtime/testing';
import { makeSecrets } from '@gatehouse/tools';
import { rabbitmq } from '../servers/rabbitmq.ts';
import { privateServers } from './private-servers.ts';

describe('the hook worker at a RabbitMQ with the users that `secrets` makes', function () {
  this.timeout(120_000);
  const secrets = testFolder();
  const closing: (() => unknown)[] = [];
  const broker = during(() =>
    privateServers('rabbitmq', async ({ supervisor, place, atEnd }) => {
      makeSecrets(secrets);
      const { server } = rabbitmq(place);
      const definitions = readFileSync(join(secrets, 'rabbitmq-definitions.json'));
      writeFileSync(join(place.directory, 'rabbitmq/definitions.json'), definitions);
      await supervisor.start(server);
      atEnd.push(() => Promise.all(closing.map((close) => close())));
      return { port: place.ports.rabbitmq };
    }),
  );

  const urlOf = (name: string) =>
    readFileSync(join(secrets, name), 'utf8').trim().replace('rabbitmq:5672', `127.0.0.1:${broker.port}`);
  const publisherAs = (name: string, topology = topologyOf()) => {
    const log = testLog();
    const publisher = createPublisher({ url: urlOf(name), log, topology });
    closing.push(() => publisher.close());
    return publisher;
  };
  const consumerAs = (name: string, topology = hookTopologyOf()) => {
    const [handled, log]: [AnyEvent[], ReturnType<typeof testLog>] = [[], testLog()];
    const consumer = new Consumer({
      ...{ url: urlOf(name), log, name, topology, prefetch: 9, read: createEventReader(), facts: eventFacts },
      handle: async (event) => {
        handled.push(event);
        return await Promise.resolve({ kind: 'done' });
      },
    });
    closing.push(() => consumer.close());
    return { consumer, handled, log };
  };

  it('declares and reads its own queue, and publishes no event and reads no other', async () => {
    const { consumer, handled } = consumerAs('hook-worker-amqp-url');
    await eventually(() => consumer.isReady, 30);
    const publisher = publisherAs('amqp-url');
    await eventually(() => publisher.isReady(), 30);
    const event = newEvent('account.registered', { UserId: 'a5a0f1b6-1f5c-4f7b-8f57-0f2f2c6b1a11' });
    await publisher.publish(event);
    await eventually(() => handled.some(({ id }) => id === event.id), 30);
    const mails = consumerAs('hook-worker-amqp-url', topologyOf());
    await eventually(() => JSON.stringify(mails.log.lines).includes('ACCESS_REFUSED'), 30);
    assert.equal(mails.consumer.isReady, false);
    const forging = publisherAs('hook-worker-amqp-url', hookTopologyOf());
    await eventually(() => forging.isReady(), 30);
    await assert.rejects(forging.publish(event));
    assert.equal(handled.length, 1);
  });
});
