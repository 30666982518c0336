import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { query } from '@gatehouse/db';
import { insertRow, testOutbox } from '@gatehouse/db/testing';
import { createHookSeal, createHookUnseal, newEvent, type AnyEvent } from '@gatehouse/events';
import { createEgressRules, createMetrics, hookPublicKeyOf } from '@gatehouse/runtime';
import type { Metrics } from '@gatehouse/runtime';
import { eventually, serve, testLog } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { createCall, type Call } from '../call/call.ts';
import { startHookWorker } from '../worker.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A receiver on this machine that answers as the test specifies. */
async function startReceiver() {
  const received: Received[] = [];
  const receiver = {
    received,
    answer: (_request: Received, response: ServerResponse): void => void response.end(),
  };
  const { url, stop } = await serve((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>; // a delivery repeats no header
      const one = { path: request.url ?? '', headers, body };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  return Object.assign(receiver, { url, stop });
}

const HOOK_KEY = 'a key for tests of at least 32 characters';

/** The path of an event from the outbox to a receiver, with any number of workers. */
export async function startHookRig() {
  const path = await testOutbox('hook-worker');
  const { db, own, broker } = path;
  const seal = createHookSeal(hookPublicKeyOf(HOOK_KEY));
  const log = testLog();
  const stops: (() => unknown)[] = [];
  const receiver = await startReceiver();
  const deliveries = (eventId: string) => {
    const rows = 'select * from hook_delivery where event_id = ? order by webhook_id';
    return query<Record<string, unknown>>(db, rows, [eventId]);
  };
  return {
    ...path,
    ...{ seal, receiver, deliveries, lines: log.lines },
    answers: (status: number, headers: Record<string, string> = {}): void => {
      receiver.answer = (_request, response) => response.writeHead(status, headers).end();
    },
    startWorker: async (given: { metrics?: Metrics; call?: Call } = {}) => {
      const worker = startHookWorker({
        ...{ db: own, amqpUrl: broker.url, topology: broker.hooks, log },
        openSecret: createHookUnseal(HOOK_KEY),
        call: createCall({ rules: createEgressRules('127.0.0.1') }),
        metrics: createMetrics('hook-worker'),
        ...given,
      });
      stops.push(() => worker.close());
      await eventually(() => worker.checkReady().then(() => true));
      return worker;
    },
    newWebhook: async ({
      path: place = '/',
      url = `${receiver.url}${place}`,
      types = ['*'],
    }: { path?: string; url?: string; types?: string[] } = {}) => {
      const id = uuid();
      const secret = `whsec_${Buffer.from(uuid().repeat(2)).subarray(0, 32).toString('base64')}`;
      await insertRow(db, 'webhook', { id, name: 'Receiver', url, types, secret: seal(id, secret) });
      return { id, secret };
    },
    publish: (event: AnyEvent = newEvent('account.registered', { UserId: uuid() })) => path.publish(event),
    /** Waits until each delivery of an event has this status. */
    hasStatus: (eventId: string, status: string) =>
      eventually(async () => {
        const rows = await deliveries(eventId);
        return rows.length > 0 && rows.every((row) => row['status'] === status) && rows;
      }),
    dueAgain: (eventId: string) =>
      query(db, 'update hook_delivery set next_try_at = now() where event_id = ?', [eventId]),
    stop: async () => {
      for (const stop of stops) await stop();
      await receiver.stop();
      await path.close();
    },
  };
}
