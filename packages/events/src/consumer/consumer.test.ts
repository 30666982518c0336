import assert from 'node:assert/strict';
import { Unavailable, Unstorable } from '@gatehouse/runtime';
import { endings, eventually, msOf, Proxy, testLog } from '@gatehouse/runtime/testing';
import { connect } from 'amqplib';
import type { Topology } from '../broker/topology.ts';
import { Consumer, type ConsumerOptions, type Outcome } from './consumer.ts';
import { createEventReader, eventFacts, type AnyEvent } from '../event/event.ts';
import { createPublisher, type Publisher } from '../publisher.ts';
import { mailEvent, testBroker, type TestBroker } from '../testing/index.ts';

/** Class and method, which the client sends when its queues are declared (AMQP 0-9-1 §4.2.4). */
const BASIC_QOS = Buffer.from([0, 60, 0, 10]);

describe('Consumer', () => {
  let broker: TestBroker;
  let proxy: Proxy;
  let publisher: Publisher;
  let consumer: Consumer<AnyEvent>;
  let handled: string[];
  let answer: (event: AnyEvent) => Promise<Outcome>;
  let log: ReturnType<typeof testLog>;
  let topology: Topology;
  const atEnd = endings();

  const startConsumer = (more: Partial<ConsumerOptions<AnyEvent>> = {}) =>
    new Consumer({
      ...{ url: proxy.url, log, topology, prefetch: 4, read: createEventReader(), facts: eventFacts },
      handle: (event) => {
        handled.push(event.id);
        return answer(event);
      },
      ...more,
    });
  beforeEach(async () => {
    handled = [];
    answer = () => Promise.resolve({ kind: 'done' });
    broker = await testBroker({ delaysSeconds: [1, 5] });
    proxy = await Proxy.to(broker.url);
    topology = { ...broker.topology, delays: broker.faces.delays };
    publisher = createPublisher({ url: broker.url, log: testLog(), topology });
    log = testLog();
    consumer = startConsumer();
    await eventually(() => publisher.isReady() && consumer.isReady);
  });
  afterEach(async () => {
    await consumer.close();
    await publisher.close();
    await proxy.close();
    await broker.drop();
  });
  const publish = async (event: AnyEvent = mailEvent()): Promise<string> => {
    await eventually(() => publisher.publish(event).then(() => true));
    return event.id;
  };
  const times = (id: string): number => handled.filter((one) => one === id).length;
  const publishUntilHandled = async (count = 1): Promise<string> => {
    const id = await publish();
    await eventually(() => times(id) === count);
    return id;
  };

  it('redelivers an event after the requested delay', async () => {
    const later = { kind: 'retry', afterSeconds: 0.3, reason: 'not yet' } as const;
    answer = ({ id }) => Promise.resolve(times(id) < 3 ? later : { kind: 'done' });
    assert.ok((await msOf(() => publishUntilHandled(3))) >= 600);
  });

  it('handles a message with headers nested too deeply as one without headers', async () => {
    const [first, poison, last] = [mailEvent(), mailEvent(), mailEvent()];
    await publish(first);
    const { exchange } = broker.topology;
    for (const text of [JSON.stringify(poison), 'no event']) {
      const message = { exchange, key: poison.type, content: Buffer.from(text), levels: 12_000 };
      await publishNested(broker.url, message);
    }
    await publish(last);
    await eventually(() => times(last.id) > 0);
    assert.deepEqual(handled, [first.id, poison.id, last.id]);
    assert.equal((await broker.parked()).length, 1);
    assert.ok(log.lines.some(({ message }) => message === 'message headers unreadable, ignoring them'));
    assert.ok(consumer.isReady);
  });

  it('redelivers an event when a dependency was down, or the handler threw', async () => {
    const faults = [new Unavailable('postgres', { retryAfterSeconds: 0.1 }), new Error('a bug')];
    answer = () => {
      const fault = faults.pop();
      return fault ? Promise.reject(fault) : Promise.resolve({ kind: 'done' });
    };
    await publishUntilHandled(3);
  });

  it('parks poison messages with the reason while others continue', async () => {
    for (const poison of ['{', '{"specversion":"1.0","type":"x"}', '{"specversion":"9"}'])
      broker.channel.sendToQueue(broker.topology.queue, Buffer.from(poison));
    await publishUntilHandled();
    const reasons = (await broker.parked(3)).map(({ properties }) =>
      String(properties.headers?.['x-reason']),
    );
    assert.deepEqual(reasons.toSorted(), ['not JSON', 'not a CloudEvent 1.0', 'unknown event type']);
  });

  const unwanted: Outcome = { kind: 'dead', reason: 'no such mailbox as <ann@example.com>' };
  for (const [what, handle, reason] of [
    ['cannot be stored at once', () => Promise.reject(new Unstorable('no')), 'a value cannot be stored'],
    ['the handler gives up', () => Promise.resolve(unwanted), 'no such mailbox as <[redacted]>'],
  ] as const)
    it(`parks messages that ${what}`, async () => {
      answer = handle;
      const id = await publish();
      const [message] = await broker.parked();
      assert.deepEqual([message?.properties.messageId, times(id)], [id, 1]);
      assert.equal(message?.properties.headers?.['x-reason'], reason);
    });

  it('parks only the beginning of a message that is far too large', async () => {
    broker.channel.sendToQueue(broker.topology.queue, Buffer.alloc(3_000_000, 'x'));
    const [message] = await broker.parked();
    assert.equal(message?.content.length, 262_144);
    assert.equal(message.properties.headers?.['x-cut-from-bytes'], 3_000_000);
  });

  it('leaves to the broker messages that it cannot settle', async () => {
    await consumer.close();
    const read = () => {
      throw new Error('a bug');
    };
    consumer = startConsumer({ read });
    const ids = [await publish(), await publish()];
    const dead: string[] = [];
    await eventually(async () => {
      for (const { properties } of await broker.take(broker.topology.dead)) dead.push(properties.messageId);
      return dead.length === 2;
    });
    assert.deepEqual(dead, ids);
  });

  it('logs each reason once for which the broker does not accept it', async () => {
    const reasons = () =>
      log.lines
        .filter(({ message }) => message === 'message broker unavailable, retrying')
        .map((line) => JSON.stringify(line));
    await proxy.refuse();
    await eventually(() => reasons().length > 0);
    const { queue } = broker.topology;
    await broker.channel.deleteQueue(queue);
    await broker.channel.assertQueue(queue, { durable: true, arguments: { 'x-max-priority': 3 } });
    await proxy.heal();
    await eventually(() => reasons().some((reason) => reason.includes('PRECONDITION_FAILED')), 15);
    assert.equal(new Set(reasons()).size, reasons().length);
    await broker.channel.deleteQueue(queue);
    await eventually(() => consumer.isReady, 15);
  });

  describe('without delay queues', () => {
    beforeEach(async () => {
      await consumer.close();
      consumer = startConsumer({ topology: broker.topology });
      await eventually(() => consumer.isReady);
    });

    it('keeps a message until its dependency is back, and reports that once', async () => {
      answer = ({ id }) =>
        times(id) < 4
          ? Promise.reject(new Unavailable('postgres', { retryAfterSeconds: 0.1 }))
          : Promise.resolve({ kind: 'done' });
      await publishUntilHandled(4);
      const warning = 'dependency unavailable, retrying the message later';
      assert.equal(log.lines.filter(({ message }) => message === warning).length, 1);
    });

    it('parks a message whose handler fails three times', async () => {
      answer = () => Promise.reject(new Error('a bug'));
      const id = await publish();
      const [message] = await broker.parked();
      assert.equal(message?.properties.headers?.['x-reason'], 'processing failed repeatedly');
      assert.equal(times(id), 3);
    });

    it('returns a message that waits to the broker when it closes', async () => {
      answer = () => Promise.reject(new Unavailable('postgres', { retryAfterSeconds: 60 }));
      const id = await publishUntilHandled();
      await consumer.close();
      const [message] = await broker.take(broker.topology.queue);
      assert.equal(message?.properties.messageId, id);
    });
  });

  it('parks messages for a time only, as they may contain data of erased accounts', async () => {
    const brief = await testBroker({ deadSeconds: 2 });
    const { queue, dead } = brief.topology;
    const own = startConsumer({ topology: brief.topology });
    const isParked = async () => (await brief.channel.checkQueue(dead)).messageCount > 0;
    atEnd(() => brief.drop());
    atEnd(() => own.close());
    await eventually(() => own.isReady);
    brief.channel.sendToQueue(queue, Buffer.from('{'));
    await eventually(isParked);
    await eventually(async () => !(await isParked()));
    assert.deepEqual(await brief.take(queue), []);
  });

  it('consumes again after its queue was deleted and after its connection was cut', async () => {
    await broker.channel.deleteQueue(broker.topology.queue);
    await publishUntilHandled();
    proxy.cut();
    await publishUntilHandled();
  });

  it('consumes again after its connection was cut before it consumed', async () => {
    const isCut = new Promise<void>((resolve) => {
      proxy.tap = ({ direction, frame }) => {
        if (direction === 'down' || !frame.includes(BASIC_QOS)) return 'pass';
        proxy.tap = undefined;
        resolve();
        return 'cut';
      };
    });
    proxy.cut();
    await isCut;
    await publishUntilHandled();
  });

  it('handles an event again if the connection broke meanwhile', async () => {
    let release: (outcome: Outcome) => void = () => {};
    answer = () => new Promise((resolve) => (release = resolve));
    const id = await publishUntilHandled();
    proxy.cut();
    const late = release;
    await eventually(() => times(id) === 2);
    late({ kind: 'done' });
    release({ kind: 'done' });
    answer = () => Promise.resolve({ kind: 'done' });
    await publishUntilHandled();
  });

  it('finishes messages in progress before it closes', async () => {
    let isFinished = false;
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      isFinished = true;
      return { kind: 'done' };
    };
    await publishUntilHandled();
    await consumer.close();
    assert.ok(isFinished);
    assert.deepEqual(await broker.take(broker.topology.queue), []);
  });
});

/** The bytes that a list within a list adds: its tag and its length. */
const LEVEL_BYTES = 5;
const BYTE_ARRAY = 'x'.charCodeAt(0);
const LIST = 'A'.charCodeAt(0);

/**
 * Publishes a message with a header of nested lists, deeper than the driver itself can write: the driver gets a header
 * of bytes of the same size, which are replaced on their way to the broker.
 */
async function publishNested(
  url: string,
  message: { exchange: string; key: string; content: Buffer; levels: number },
): Promise<void> {
  const { exchange, key, content, levels } = message;
  const connection = await connect(url);
  try {
    const channel = await connection.createConfirmChannel();
    const { stream } = connection.connection as unknown as { stream: { write(bytes: Buffer): boolean } }; // the driver's own
    const write = stream.write.bind(stream);
    const placeholder = Buffer.alloc(levels * LEVEL_BYTES, 'z');
    let isReplaced = false;
    stream.write = (bytes) => {
      const at = bytes.indexOf(placeholder);
      if (at >= 0) {
        isReplaced = true;
        // The tag and length before the bytes become those of the outermost list.
        if (bytes[at - LEVEL_BYTES] !== BYTE_ARRAY) throw new Error('the header is not written as expected');
        bytes[at - LEVEL_BYTES] = LIST;
        for (let level = 0; level < levels; level += 1) {
          bytes[at + level * LEVEL_BYTES] = LIST;
          bytes.writeUInt32BE((levels - level - 1) * LEVEL_BYTES, at + level * LEVEL_BYTES + 1);
        }
      }
      return write(bytes);
    };
    channel.publish(exchange, key, content, { headers: { deep: placeholder } });
    await channel.waitForConfirms();
    if (!isReplaced) throw new Error('the header was not found on its way');
  } finally {
    await connection.close();
  }
}
