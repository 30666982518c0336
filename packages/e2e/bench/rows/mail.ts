import { setTimeout as sleep } from 'node:timers/promises';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { connectDb, outbox, inTransaction } from '@gatehouse/db';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import type { Bench, Figure, Row } from '../row.ts';
import { whole } from '../load/rounds.ts';
import type { System } from '../system/system.ts';

const BATCH = 500;
const ALL_SECONDS = 300;
const ONE_SECONDS = 10;
/** Long enough for the system to be idle again. */
const PAUSE_MS = 50;

export const mail: Row = {
  name: 'mail',
  about:
    'mails per second from the outbox to a mail server with one worker, and the latency of one mail when idle',
  limits: `The one thread of the worker is the limit: 2 to 2.5 ms of CPU per mail, of which nodemailer takes 32 %, statements 15 % and
opening the sealed content 13 %.`,
  async measure(bench) {
    const system = await bench.system();
    return [await latency(bench, system), await throughput(bench, system)];
  },
};

/** The time from a request for a password reset code until the mail server has received the mail. */
async function latency(bench: Bench, { stack, mails, others }: System): Promise<Figure> {
  const times: number[] = [];
  for (const email of others) {
    bench.signal.throwIfAborted();
    const began = performance.now();
    const came = new Promise<number>((resolve) => {
      mails.behaviour = (stage, to) => {
        if (stage === 'content' && to === email) resolve(performance.now());
        return undefined;
      };
    });
    const answer = await fetch(`${stack.facts.urls.core}/account/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Email: email }),
      signal: bench.signal,
    });
    if (answer.status !== 200) throw new Error(`forgot-password answered ${answer.status}`);
    // The response is delayed to a constant duration, which may be longer than the mail takes.
    const late = sleep(ONE_SECONDS * 1000, Infinity, { ref: false });
    times.push((await Promise.race([came, late])) - began);
    await sleep(PAUSE_MS);
  }
  mails.behaviour = undefined;
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const detail = `${times.length} mails one after the other, p50 ${quantile(0.5).toFixed(0)} ms, longest ${quantile(1).toFixed(0)} ms`;
  bench.say(`  ${detail}`);
  const title = 'from the request to the mail server, p99 when idle';
  return { id: 'mail-idle', title, value: quantile(0.99), unit: 'ms', bar: { atMost: 250 }, detail };
}

async function throughput(bench: Bench, system: System): Promise<Figure> {
  const { mails } = bench.sizes;
  const seal = createSeal(mailPublicKeyOf(system.mailKey));
  const db = connectDb({ url: system.databaseUrl, applicationName: 'gatehouse-bench', poolMax: 1 });
  bench.onEnd(() => db.destroy());
  const received = system.mails.mails;
  const before = received.length;
  const began = performance.now();
  for (let done = 0; done < mails; done += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, mails - done) }, (_, index) => {
      const UserId = newId();
      const content = {
        Email: `person${done + index}@gatehouse.example`,
        Locale: 'en',
        At: new Date().toISOString(),
      };
      return newMailEvent(seal, 'account.password-changed', { UserId }, content);
    });
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, events));
  }
  await eventually(() => received.length >= before + mails, ALL_SECONDS);
  const seconds = (performance.now() - began) / 1000;
  const detail = `${whole(mails)} mails in ${seconds.toFixed(1)} s, from the first row of the outbox to the last mail`;
  bench.say(`  ${detail}`);
  const title = 'mails per second from the outbox to the mail server, one worker';
  return { id: 'mail', title, value: mails / seconds, unit: '/s', bar: { atLeast: 300 }, detail };
}
