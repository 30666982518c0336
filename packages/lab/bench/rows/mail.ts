import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, outbox } from '@gatehouse/db';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { withDb } from '../../database.ts';
import { whole } from '../compare.ts';
import { ask } from '../load.ts';
import type { Bench, Figure, Row } from '../row.ts';
import { posting, readMetric, type System } from '../system.ts';

const BATCH = 500;
const ALL_SECONDS = 300;
/** Long enough for the system to be idle again. */
const PAUSE_MS = 50;

export const mail: Row = {
  name: 'mail',
  async measure(bench) {
    const system = await bench.system();
    return [await latency(bench, system), await throughput(bench.sizes.mails, system)];
  },
};

/** The time from a request for a password reset code until the mail server has received the mail. */
async function latency(bench: Bench, { stack, sink, others }: System): Promise<Figure> {
  const times: number[] = [];
  for (const Email of others) {
    const began = Date.now();
    const answer = await ask(
      stack.facts.urls.core,
      posting('/account/forgot-password', { Email }),
      bench.signal,
    );
    if (answer.status !== 200) throw new Error(`forgot-password answered ${answer.status}`);
    // The response is delayed to a constant duration, which may be longer than the mail takes.
    const { at } = await eventually(() => sink.mails.find(({ to }) => to === Email));
    times.push(at - began);
    await sleep(PAUSE_MS);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const detail = `${times.length} mails one after the other, p50 ${quantile(0.5).toFixed(0)} ms, longest ${quantile(1).toFixed(0)} ms`;
  const title = 'from the request to the mail server, p99 when idle';
  return { id: 'mail-idle', title, value: quantile(0.99), unit: 'ms', detail };
}

async function throughput(
  mails: number,
  { databaseUrl, mailKey, metricsUrls, sink }: System,
): Promise<Figure> {
  const seal = createSeal(mailPublicKeyOf(mailKey));
  const notice = () => {
    const content = { Email: `${newId()}@gatehouse.example`, Locale: 'en', At: new Date().toISOString() };
    return newMailEvent(seal, 'account.password-changed', { UserId: newId() }, content);
  };
  const events = Array.from({ length: mails }, notice);
  const cpuSeconds = (): Promise<number> => readMetric(metricsUrls.mailWorker, 'process_cpu_seconds_total');
  const [earlier, cpuBefore, began] = [sink.mails.length, await cpuSeconds(), Date.now()];
  await withDb(databaseUrl, async (db) => {
    for (let done = 0; done < mails; done += BATCH)
      await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, events.slice(done, done + BATCH)));
  });
  const last = await eventually(() => sink.mails[earlier + mails - 1], ALL_SECONDS);
  const seconds = (last.at - began) / 1000;
  const cpu = (1000 * ((await cpuSeconds()) - cpuBefore)) / mails;
  const detail = `${whole(mails)} mails in ${seconds.toFixed(1)} s, from the first row of the outbox to the last mail; ${cpu.toFixed(2)} ms of the worker's CPU for each`;
  const title = 'mails per second from the outbox to the mail server, one worker';
  return { id: 'mail', title, value: mails / seconds, unit: '/s', detail };
}
