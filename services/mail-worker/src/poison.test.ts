import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { createSeal, newEvent } from '@gatehouse/events';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { duringEach, eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { MAIL_KEY, startTestMailWorker } from './testing/index.ts';

describe('poison messages in the mail queue', () => {
  const rig = duringEach(startTestMailWorker);
  beforeEach(() => rig.startWorker());

  const send = (content: unknown, options: Parameters<typeof rig.broker.channel.publish>[3] = {}) =>
    rig.broker.channel.publish(
      rig.broker.topology.exchange,
      'account.registration-repeated',
      Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)),
      options,
    );
  const arrives = async () => {
    const mail = await rig.send();
    await eventually(() => rig.sink.mails.some(({ to }) => to.includes(mail.email)), 15);
  };

  it('do not block mails, with any headers, properties and contents', async () => {
    const texts = ['', 'many', '\u0000', '\ud800', '\u2028', 'é'.repeat(60), '../../x', '-1', '9'.repeat(99)];
    const values = [-1, 1e308, 0.5, null, true, [], {}, [[{}]], [null], { __proto__: null, queue: 1 }];
    const typed = [
      Buffer.from([0, 255]),
      { '!': 'timestamp', value: 1e9 },
      { '!': 'float', value: -0.5 },
      { '!': 'decimal', value: { places: 2, digits: 7 } },
      Buffer.alloc(2000, 0xff),
      [{ queue: rig.broker.topology.queue }],
      [{ queue: {} }],
    ];
    const event = newEvent('account.registration-repeated', { UserId: uuid() });
    for (const odd of [...texts, ...values, ...typed])
      for (const name of ['x-failures', 'x-death', 'x-reason', 'x-delivery-count'])
        send({ ...event, id: uuid() }, { headers: { [name]: odd } });
    for (const text of texts) send(event, { contentType: text, messageId: text, type: text });
    const sealed = createSeal(mailPublicKeyOf(MAIL_KEY)).seal(event.id, {
      Email: '\u0000',
      At: 'never',
    } as never);
    for (const Mail of [sealed, ...texts, 'x'.repeat(9000), 7, {}])
      send({ ...event, data: { ...event.data, Mail } });
    for (const time of ['2016-12-31T23:59:60Z', '9999-12-31T23:59:59-23:59']) send({ ...event, time });
    for (const content of [[0xff, 0xfe, 0x00], '['.repeat(50_000), 'x'.repeat(300_000), ''])
      send(Buffer.from(content));
    await arrives();
    // All messages are settled: the remaining ones are parked, and none wait.
    const { queue } = rig.broker.topology;
    await eventually(async () => (await rig.broker.channel.checkQueue(queue)).messageCount === 0, 15);
    await arrives();
    assert.deepEqual(await query(rig.db, "select 1 from mail_delivery where status = 'Retrying'"), []);
  });

  it('are parked with the reason for any invalid field, without logging its value', async () => {
    const secret = 'what only the poisoner knows';
    const { event } = await rig.send({ isPublished: false });
    const odd = [null, true, 7, -1, '', secret, `${secret}\u0000`, [secret], { [secret]: secret }, [[[]]]];
    const changed = Object.keys(event).flatMap((field) =>
      odd.map((value) => ({ ...event, id: uuid(), [field]: value })),
    );
    const within = Object.keys(event.data).flatMap((field) =>
      odd.map((value) => ({ ...event, id: uuid(), data: { ...event.data, [field]: value } })),
    );
    const without = Object.keys(event).map((field) => ({ ...event, id: uuid(), [field]: undefined }));
    const poison = [...changed, ...within, ...without];
    for (const content of poison) send(content);
    await arrives();
    const { queue, dead } = rig.broker.topology;
    await eventually(async () => (await rig.broker.channel.checkQueue(queue)).messageCount === 0, 15);
    const parkedMessages = await rig.broker.take(dead);
    assert.ok(parkedMessages.length > poison.length / 2, `${parkedMessages.length} of ${poison.length}`);
    for (const { properties } of parkedMessages) {
      const reason = String(properties.headers?.['x-reason']);
      assert.match(reason, /^[^\0]{5,}$/);
      assert.ok(!reason.includes(secret), reason);
    }
    assert.ok(!JSON.stringify(rig.lines).includes(secret));
  });

  it('do not park a mail with the same id', async () => {
    rig.sink.answerTo = () => '450 busy';
    const mail = await rig.send();
    await rig.hasStatus(mail.id, 'Retrying');
    send({ ...mail.event, data: { ...mail.event.data, Mail: 'AAAA' } });
    const [dead] = await rig.broker.parked();
    assert.equal(dead?.properties.headers?.['x-reason'], 'another email has the same ID');
    assert.equal((await rig.delivery(mail.id))['status'], 'Retrying');
  });
});
