import assert from 'node:assert/strict';
import { createPublisher, newEvent, type AnyEvent, type Publisher } from '@gatehouse/events';
import { mailEvent, testBroker, type TestBroker } from '@gatehouse/events/testing';
import { eventually, Proxy, testLog } from '@gatehouse/runtime/testing';
import { createMetrics, NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { query, inTransaction, type Db } from '../postgres/connect.ts';
import * as outbox from './outbox.ts';
import { startRelay, type Relay } from './relay.ts';
import { testDatabase } from '../testing/index.ts';

const plain = (): AnyEvent => newEvent('account.registered', { UserId: uuid() });

describe('startRelay', () => {
  let db: Db;
  let drop: () => Promise<void>;
  let broker: TestBroker;
  let proxy: Proxy;
  let publisher: Publisher;
  let relay: Relay;
  before(async () => {
    ({ db, drop } = await testDatabase());
    broker = await testBroker();
    proxy = await Proxy.to(broker.url);
    const { url } = proxy;
    publisher = createPublisher({ url, log: testLog(), topology: broker.topology, confirmMs: 1000 });
    await eventually(() => publisher.isReady());
    relay = startRelay({ db, publisher, log: testLog() });
  });
  after(async () => {
    await relay.stop();
    await publisher.close();
    await proxy.close();
    await broker.drop();
    await drop();
  });
  afterEach(() => query(db, 'delete from outbox'));

  const commit = (events: AnyEvent[]) => inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, events));
  const rows = () =>
    query<{ published: boolean }>(db, 'select published_at is not null as published from outbox');
  const arrived = async (count: number) => {
    const messages: string[] = [];
    return eventually(async () => {
      for (const { properties } of await broker.take(broker.topology.queue))
        messages.push(String(properties.messageId));
      return messages.length >= count && messages;
    });
  };

  it('publishes committed events at once when woken, and removes them', async () => {
    await commit([plain()]);
    const begun = Date.now();
    relay.wake();
    await eventually(async () => (await rows()).length === 0);
    assert.ok(Date.now() - begun < 500);
  });

  it('publishes without being woken', async () => {
    await commit([plain()]);
    // Its poll comes every ten seconds.
    await eventually(async () => (await rows()).length === 0, 30);
  });

  it('keeps mailing events, marked, until the mail worker has them', async () => {
    const event = mailEvent();
    await commit([event]);
    relay.wake();
    assert.deepEqual(await arrived(1), [event.id]);
    await eventually(async () => (await rows())[0]?.published);
  });

  it('removes a mailing event without a mail', async () => {
    const [UserId, InvitationId, ContentDefinitionId] = [uuid(), uuid(), uuid()];
    const silent = newEvent('guest.invited', { UserId, InvitationId, ContentDefinitionId });
    await commit([silent]);
    relay.wake();
    await eventually(async () => (await rows()).length === 0);
  });

  it('keeps an unroutable mail, and publishes it once there is a queue', async () => {
    await broker.channel.deleteQueue(broker.topology.queue);
    const event = mailEvent();
    await commit([event]);
    relay.wake();
    assert.deepEqual(await arrived(1), [event.id]);
  });

  it('loses nothing while the broker is down or unresponsive', async () => {
    for (const disturb of [() => proxy.reset(), () => proxy.blackHole()]) {
      disturb();
      const events = Array.from({ length: 250 }, () => mailEvent());
      await commit(events);
      relay.wake();
      await eventually(() => !publisher.isReady());
      await proxy.heal();
      assert.deepEqual(new Set(await arrived(250)), new Set(events.map(({ id }) => id)));
      await eventually(async () => (await rows()).every(({ published }) => published));
      await broker.take(broker.topology.queue);
    }
  });

  it('holds no connection while it waits for the broker', async () => {
    const open: (() => void)[] = [];
    const slow: Pick<Publisher, 'publish' | 'isReady'> = {
      publish: () => new Promise((resolve) => open.push(resolve)),
      isReady: () => true,
    };
    await relay.stop();
    await commit([plain()]);
    relay = startRelay({ db, publisher: slow, log: testLog() });
    await eventually(() => open.length === 1);
    const sql = `select 1
       from pg_stat_activity
       where datname = current_database()
         and state like 'idle in transaction%'`;
    const busy = await query(db, sql);
    assert.equal(busy.length, 0);
    for (const resolve of open) resolve();
    await eventually(async () => (await rows()).length === 0);
  });

  it('reports how many events wait and since when, also while publishing fails', async () => {
    const away: Pick<Publisher, 'publish' | 'isReady'> = {
      publish: () => Promise.reject(new Unavailable('rabbitmq')),
      isReady: () => false,
    };
    await relay.stop();
    const oldest = mailEvent();
    await commit([oldest, plain(), plain()]);
    const sql = `update outbox
       set created_at = now() - interval '1 hour', published_at = now()
       where id = ?`;
    await query(db, sql, [oldest.id]);
    const metrics = createMetrics('test');
    relay = startRelay({ db, publisher: away, log: testLog(), metrics });
    const shown = async (name: string) => (await metrics.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
    await eventually(async () => (await shown('gatehouse_outbox_waiting')) === 3);
    const age = await shown('gatehouse_outbox_oldest_seconds');
    assert.ok(age >= 3600 && age < 3700, String(age));
  });
});
