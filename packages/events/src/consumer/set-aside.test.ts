import assert from 'node:assert/strict';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { Consumer } from './consumer.ts';
import { createEventReader, eventFacts } from '../event/event.ts';
import { testBroker } from '../testing/index.ts';

describe('dead-lettered messages', () => {
  it('expire, as they may contain data of erased accounts', async () => {
    const broker = await testBroker({ deadSeconds: 2 });
    const { topology, channel } = broker;
    const consumer = new Consumer({
      ...{ url: broker.url, log: testLog(), topology, prefetch: 4 },
      ...{ read: createEventReader(), facts: eventFacts, handle: () => Promise.resolve({ kind: 'done' }) },
    });
    const count = async () => (await channel.checkQueue(topology.dead)).messageCount;
    try {
      await eventually(() => consumer.isReady);
      for (const poison of ['{', '[]']) channel.sendToQueue(topology.queue, Buffer.from(poison));
      await eventually(async () => (await count()) === 2);
      await eventually(async () => (await count()) === 0);
      assert.deepEqual(await broker.take(topology.queue), []);
    } finally {
      await consumer.close();
      await broker.drop();
    }
  });
});
