import assert from 'node:assert/strict';
import { Unavailable } from '@gatehouse/runtime';
import { endings, eventually, msOf, Proxy, testLog } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { newEvent } from './event/event.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { mailEvent, testBroker, type TestBroker } from './testing/index.ts';

describe('createPublisher', () => {
  let broker: TestBroker;
  let proxy: Proxy;
  let publisher: Publisher;
  const atEnd = endings();
  before(async () => {
    broker = await testBroker();
    proxy = await Proxy.to(broker.url);
    const { url } = proxy;
    publisher = createPublisher({ url, log: testLog(), topology: broker.topology, confirmMs: 1000 });
    await eventually(() => publisher.isReady());
  });
  after(async () => {
    await publisher.close();
    await proxy.close();
    await broker.drop();
  });
  const refuses = (work: Promise<void>) => assert.rejects(work, Unavailable);

  it('puts a mailing event into the mail queue, sealed, with its id', async () => {
    const event = mailEvent();
    await publisher.publish(event);
    const [message] = await broker.take(broker.topology.queue);
    assert.deepEqual(JSON.parse(String(message?.content)), event);
    assert.equal(message?.properties.messageId, event.id);
    assert.doesNotMatch(String(message?.content), /ann@example/);
  });

  it('accepts an unrouted event that sends no mail', async () => {
    await publisher.publish(newEvent('account.registered', { UserId: uuid() }));
    assert.deepEqual(await broker.take(broker.topology.queue), []);
  });

  for (const [what, remove] of [
    [
      'an unrouted mail as failed, and declares the queue',
      () => broker.channel.deleteQueue(broker.topology.queue),
    ],
    [
      'one without an exchange as failed, and declares that',
      () => broker.channel.deleteExchange(broker.topology.exchange),
    ],
  ] as const)
    it(`reports ${what} again`, async () => {
      await remove();
      await refuses(publisher.publish(mailEvent()));
      await eventually(() => publisher.publish(mailEvent()).then(() => true));
      assert.equal((await broker.take(broker.topology.queue)).length, 1);
    });

  it('opens a new connection half a second after the broker refused an event', async () => {
    const { url, topology, channel } = broker;
    const full = `${topology.queue}.full`;
    await channel.assertQueue(full, { arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' } });
    await channel.bindQueue(full, topology.exchange, 'account.registered');
    const log = testLog();
    const own = createPublisher({ url, log, topology });
    const publish = () => own.publish(newEvent('account.registered', { UserId: uuid() }));
    const hasConnected = (times: number) => () =>
      log.lines.filter(({ message }) => message === 'connected to the message broker').length === times;
    atEnd(() => own.close());
    await eventually(hasConnected(1));
    await publish();
    await refuses(publish());
    // Before that, a consumer could miss that its queue was deleted and declared again.
    assert.ok((await msOf(() => eventually(hasConnected(2)))) > 450);
    await channel.deleteQueue(full);
    await publish();
  });

  it('reports the depth of existing queues to concurrent callers', async () => {
    const { queue, dead, delays } = broker.topology;
    await publisher.publish(mailEvent());
    const looks = await Promise.all(Array.from({ length: 10 }, () => publisher.queueDepths()));
    for (const depths of looks) {
      const found = depths.filter(({ queue: name }) => name.startsWith(queue));
      assert.deepEqual(found[0], { queue, messages: 1, consumers: 0 });
      const names = found.map(({ queue: name }) => name);
      assert.deepEqual(names, [queue, ...delays.map((delay) => delay.queue), dead]);
    }
    await broker.channel.deleteQueue(dead);
    assert.ok((await publisher.queueDepths()).every(({ queue: name }) => name !== dead));
    assert.ok(publisher.isReady());
    assert.equal((await broker.take(queue)).length, 1);
    await broker.channel.assertQueue(dead, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  });

  it('fails pending publishes when the connection breaks, and recovers', async () => {
    proxy.reset();
    await eventually(() => !publisher.isReady());
    await assert.rejects(publisher.queueDepths(), Unavailable);
    await refuses(publisher.publish(mailEvent()));
    await proxy.heal();
    await eventually(() => publisher.isReady());
    await publisher.publish(mailEvent());
    assert.equal((await broker.take(broker.topology.queue)).length, 1);
  });

  it('times out without confirms, limits pending publishes, and recovers', async () => {
    const events = Array.from({ length: 1500 }, () => mailEvent());
    proxy.blackHole();
    const begun = Date.now();
    const results = await Promise.allSettled(events.map((event) => publisher.publish(event)));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.ok(Date.now() - begun < 3000);
    await proxy.heal();
    await eventually(() => publisher.isReady());
    await eventually(() => publisher.publish(mailEvent()).then(() => true));
  });
});
