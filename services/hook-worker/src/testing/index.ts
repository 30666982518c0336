import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectDb, inTransaction, outbox, query, startRelay, type Db } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import {
  createHookSeal,
  createHookUnseal,
  createPublisher,
  newEvent,
  type AnyEvent,
} from '@gatehouse/events';
import { testBroker, type TestBroker } from '@gatehouse/events/testing';
import {
  createEgressRules,
  createMetrics,
  hookPublicKeyOf,
  NO_DEADLINE,
  type Metrics,
  type Tracing,
} from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { createCall, type Call } from '../call/call.ts';
import { startHookWorker, type HookWorker } from '../worker.ts';

/** What a receiver got. */
interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A receiver on this machine that behaves as the test specifies. */
interface Receiver {
  url: string;
  received: Received[];
  answer: (request: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (_request, response) => response.end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const headers = request.headers as Record<string, string>; // a delivery repeats no header
      const received = { path: request.url ?? '', headers, body };
      receiver.received.push(received);
      receiver.answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts = (await request.toArray()) as Buffer[]; // a request without an encoding
  return Buffer.concat(parts).toString('utf8');
}

const HOOK_KEY = 'a key for tests of at least 32 characters';

/** The path of an event from the outbox to a receiver, with any number of workers. */
export interface HookRig {
  db: Db;
  /** The connection with the rights of the hook worker. */
  own: Db;
  broker: TestBroker;
  receiver: Receiver;
  startWorker(options?: {
    metrics?: Metrics;
    tracing?: Tracing;
    amqpUrl?: string;
    call?: Call;
  }): Promise<HookWorker>;
  /** Creates a webhook; returns its id and secret. */
  newWebhook(options?: {
    path?: string;
    url?: string;
    types?: string[];
  }): Promise<{ id: string; secret: string }>;
  seal: (webhookId: string, secret: string) => string;
  /** Commits an event to the outbox, as an operation does. */
  publish(event?: AnyEvent): Promise<AnyEvent>;
  /** The deliveries of an event. */
  deliveries(eventId: string): Promise<Record<string, unknown>[]>;
  lines: readonly object[];
  close(): Promise<void>;
}

export async function startHookRig(): Promise<HookRig> {
  const { db, urlAs, drop } = await testDatabase();
  const own = connectDb({ url: urlAs('hook-worker'), applicationName: 'test', poolMax: 10 });
  const broker = await testBroker();
  const publisher = createPublisher({ url: broker.url, log: testLog(), topology: broker.topology });
  await eventually(() => publisher.isReady());
  const relay = startRelay({ db, publisher, log: testLog() });
  const seal = createHookSeal(hookPublicKeyOf(HOOK_KEY));
  const log = testLog();
  const stops: (() => unknown)[] = [];
  const rig: HookRig = {
    db,
    own,
    broker,
    lines: log.lines,
    receiver: await startReceiver(),
    startWorker: async ({
      metrics = createMetrics('hook-worker'),
      tracing,
      amqpUrl = broker.url,
      call,
    } = {}) => {
      const worker = startHookWorker({
        db: own,
        amqpUrl,
        openSecret: createHookUnseal(HOOK_KEY),
        call: call ?? createCall({ rules: createEgressRules('127.0.0.1') }),
        log,
        metrics,
        tracing,
        topology: broker.hooks,
      });
      stops.push(() => worker.close());
      await eventually(() => worker.checkReady().then(() => true));
      return worker;
    },
    seal,
    newWebhook: async ({ path = '/', url = `${rig.receiver.url}${path}`, types = ['*'] } = {}) => {
      const id = uuid();
      const secret = `whsec_${Buffer.from(uuid().repeat(2)).subarray(0, 32).toString('base64')}`;
      await query(db, "insert into webhook (id, name, url, types, secret) values (?, 'Receiver', ?, ?, ?)", [
        ...[id, url, types, seal(id, secret)],
      ]);
      return { id, secret };
    },
    publish: async (event = newEvent('account.registered', { UserId: uuid() })) => {
      await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
      relay.wake();
      return event;
    },
    deliveries: async (eventId) =>
      await query<Record<string, unknown>>(
        db,
        'select * from hook_delivery where event_id = ? order by webhook_id',
        [eventId],
      ),
    close: async () => {
      for (const stop of stops) await stop();
      await relay.stop();
      await publisher.close();
      await rig.receiver.close();
      await broker.drop();
      await own.destroy();
      await drop();
    },
  };
  return rig;
}
