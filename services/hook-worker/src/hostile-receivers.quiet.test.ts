import assert from 'node:assert/strict';
import { newEvent } from '@gatehouse/events';
import { createEgressRules, lookUpName } from '@gatehouse/runtime';
import { endings, eventually, startNameServer, type NameAnswer } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { createCall } from './call/call.ts';
import { startHostileServers } from './testing/hostile-servers.ts';
import { startHookRig } from './testing/index.ts';

const NEVER = new Promise<NameAnswer>(() => {});

/** Receivers whose name server is what is wrong. */
const NAMES: Record<string, (query: Buffer) => NameAnswer | Promise<NameAnswer>> = {
  'silent-1': () => NEVER,
  'silent-2': () => NEVER,
  'silent-3': () => NEVER,
  'silent-4': () => NEVER,
  late: () => new Promise((resolve) => setTimeout(() => resolve(['127.0.0.1']), 3000).unref()),
  inner: () => ['10.0.0.1', '169.254.169.254'],
  many: () => Array.from({ length: 60 }, () => '127.0.0.1'),
  nowhere: () => ['127.0.0.99'],
  truncating: (query) => flagged(query, 0x8380),
  failing: (query) => flagged(query, 0x8182),
  lying: (query) => flagged(Buffer.concat([Buffer.from([0, 0]), query.subarray(2)]), 0x8180),
  garbage: (query) => Buffer.concat([query.subarray(0, 2), Buffer.alloc(1200, 0xff)]),
};

const EVENTS = 100;

describe('the hook worker beside hostile receivers of every kind', function () {
  this.timeout(120_000);
  const atEnd = endings();

  it('delivers to a healthy one within a second, 99 times of 100', async () => {
    const servers = await startHostileServers();
    atEnd(() => servers.close());
    const names = await startNameServer((name, query) => NAMES[name.split('.')[0] ?? '']?.(query) ?? NEVER);
    atEnd(() => names.stop());
    const rig = await startHookRig();
    atEnd(() => rig.stop());
    await rig.startWorker({
      call: createCall({
        rules: createEgressRules('127.0.0.1'),
        lookUp: (name) => lookUpName(name, undefined, { servers: [names.address] }),
      }),
    });
    const hostile = Object.keys(NAMES).map((name) => `https://${name}.example.com/`);
    for (const url of [...hostile, ...servers.urls.values()])
      await rig.newWebhook({ url, types: ['guest.registered'] });
    await rig.newWebhook({
      url: rig.receiver.url.replace('127.0.0.1', 'localhost'),
      types: ['account.registered'],
    });
    const times: number[] = [];
    for (let count = 0; count < EVENTS; count += 1) {
      if (count % 6 === 0) await rig.publish(newEvent('guest.registered', { UserId: uuid() }));
      const startedAt = performance.now();
      const event = await rig.publish();
      await eventually(
        () => rig.receiver.received.some(({ headers }) => headers['webhook-id'] === event.id),
        30,
      );
      times.push(performance.now() - startedAt);
    }
    const slowest = times.toSorted((one, other) => other - one);
    assert.ok(Number(slowest[1]) < 1000, `${slowest.slice(0, 5).map(Math.round).join(', ')} ms`);
  });
});

/** The query as an answer without addresses and with these flags. */
function flagged(query: Buffer, flags: number): Buffer {
  const answer = Buffer.from(query);
  answer.writeUInt16BE(flags, 2);
  return answer;
}
