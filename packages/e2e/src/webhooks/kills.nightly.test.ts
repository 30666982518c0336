import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectDb, inTransaction, outbox, type Db } from '@gatehouse/db';
import { freePorts } from '@gatehouse/dev';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { startWorld, type World } from '../testing/index.ts';

const EVENTS = 10_000;
const BATCH = 500;
const KILLS = 20;
/** A worker sends four deliveries at once to a webhook: as many can be repeated if it is killed. */
const AT_ONCE = 4;
const SAMPLES = 200;

describe('webhooks', function () {
  this.timeout(600_000);
  let world: World;
  let db: Db;
  let server: Server;
  let url: string;
  let readyUrl: string;
  /** When each delivery of a path arrived, by its event. */
  let arrived: Map<string, Map<string, number[]>>;
  before(async () => {
    arrived = new Map();
    server = createServer((request, response) => {
      const { url: path = '', headers } = request;
      const times = arrived.get(path) ?? new Map<string, number[]>();
      const id = String(headers['webhook-id']);
      arrived.set(path, times.set(id, [...(times.get(id) ?? []), performance.now()]));
      request.resume().on('end', () => {
        if (path !== '/hangs') response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
    const ports = await freePorts();
    readyUrl = `http://127.0.0.1:${ports.hookWorkerInternal}/health/ready`;
    world = await startWorld({ WEBHOOKS: 'on', WEBHOOK_NETWORKS: '127.0.0.1' }, { ownServers: true, ports });
    db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'test', poolMax: 2 });
  });
  after(async () => {
    await db.destroy();
    await world.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const newWebhook = async (path: string): Promise<void> => {
    const { adminUrl, admin } = world.stack.facts;
    const { Token } = await world.login(admin.Email, admin.Password);
    const { status } = await fetch(`${adminUrl}/admin/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${Token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Name: path, Url: url + path, Types: ['account.registered'] }),
    });
    assert.equal(status, 201);
  };
  const publish = async (count: number): Promise<string[]> => {
    const events = Array.from({ length: count }, () => newEvent('account.registered', { UserId: uuid() }));
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, events));
    return events.map(({ id }) => id);
  };
  const isReady = async () => (await fetch(readyUrl)).status === 200;

  it(`deliver ${EVENTS} events although worker and broker are killed ${KILLS} times, and repeat few`, async () => {
    await newWebhook('/all');
    const published: string[] = [];
    const publishing = (async () => {
      while (published.length < EVENTS) published.push(...(await publish(BATCH)));
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      world.stack.kill(kill % 2 === 0 ? 'hook-worker' : 'rabbitmq', 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await eventually(isReady, 60);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await publishing;
    const times = arrived.get('/all') ?? assert.fail();
    await eventually(() => published.every((id) => times.has(id)), 300);
    assert.equal(times.size, EVENTS);
    const repeated = [...times.values()].reduce((sum, { length }) => sum + length - 1, 0);
    assert.ok(repeated <= (KILLS / 2) * AT_ONCE, `${repeated} repeated`);
  });

  it('are as quick as before beside one whose receiver hangs', async () => {
    await newWebhook('/quick');
    const measure = async (): Promise<number> => {
      const waits: number[] = [];
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const begun = performance.now();
        const [id = ''] = await publish(1);
        waits.push(
          await eventually(
            () => (arrived.get('/quick')?.get(id)?.[0] ?? 0) - begun > 0 && performance.now() - begun,
          ),
        );
      }
      return waits.toSorted((a, b) => a - b)[Math.floor(SAMPLES * 0.99)] ?? 0;
    };
    const alone = await measure();
    await newWebhook('/hangs');
    const beside = await measure();
    assert.ok(beside < alone * 1.5 + 100, `p99 ${alone} ms, then ${beside} ms`);
  });
});
