import { setTimeout as sleep } from 'node:timers/promises';
import { connectDb, inTransaction, outbox, query, type Db } from '@gatehouse/db';
import { createSeal, newMailEvent, type AnyEvent, type Seal } from '@gatehouse/events';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { Counterpart } from '../counterparts/counterpart.ts';
import { whole } from '../load/rounds.ts';
import type { Bench, Figure, Row } from '../row.ts';
import { readMetric } from '../system/core-targets.ts';
import type { System } from '../system/system.ts';

const BATCH = 500;
const ALL_SECONDS = 300;
const ONE_SECONDS = 10;
/** Its time is the mail server's own; asking seldom keeps the machine free. */
const ASK_MS = 10;
/** Long enough for the system to be idle again. */
const PAUSE_MS = 50;

export const mail: Row = {
  name: 'mail',
  limits: `The one thread of the worker is the limit.`,
  async measure(bench) {
    const system = await bench.system();
    const seal = createSeal(mailPublicKeyOf(system.mailKey));
    const db = connectDb({ url: system.databaseUrl, applicationName: 'gatehouse-bench', poolMax: 1 });
    bench.onEnd(() => db.destroy());
    const idle = await latency(bench, system);
    const notices = await throughput(bench, {
      id: 'mail',
      things: 'mails',
      system,
      db,
      newEvent: () => notice(seal),
    });
    const codes = await findCodes(db);
    const codeMail = (at: number): AnyEvent => resetMail(seal, codes[at % codes.length]);
    const things = 'mails with a code, whose validity is looked up,';
    return [
      idle,
      notices,
      await throughput(bench, { id: 'mail-code', things, system, db, newEvent: codeMail }),
    ];
  },
};

/** The time from a request for a password reset code until the mail server has received the mail. */
async function latency(bench: Bench, { stack, mailServer, others }: System): Promise<Figure> {
  const times: number[] = [];
  for (const email of others) {
    bench.signal.throwIfAborted();
    const { count } = await received(mailServer);
    const began = Date.now();
    const answer = await fetch(`${stack.facts.urls.core}/account/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Email: email }),
      signal: bench.signal,
    });
    if (answer.status !== 200) throw new Error(`forgot-password answered ${answer.status}`);
    // The response is delayed to a constant duration, which may be longer than the mail takes.
    times.push((await arrival(mailServer, count + 1, ONE_SECONDS)) - began);
    await sleep(PAUSE_MS);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const detail = `${times.length} mails one after the other, p50 ${quantile(0.5).toFixed(0)} ms, longest ${quantile(1).toFixed(0)} ms`;
  const title = 'from the request to the mail server, p99 when idle';
  return { id: 'mail-idle', title, value: quantile(0.99), unit: 'ms', bar: { atMost: 250 }, detail };
}

async function throughput(
  bench: Bench,
  of: { id: string; things: string; system: System; db: Db; newEvent: (at: number) => AnyEvent },
): Promise<Figure> {
  const { mails } = bench.sizes;
  const { mailServer, metricsUrls } = of.system;
  const cpuSeconds = (): Promise<number> => readMetric(metricsUrls.mailWorker, 'process_cpu_seconds_total');
  const events = Array.from({ length: mails }, (_, at) => of.newEvent(at));
  const [{ count }, cpuBefore, began] = [await received(mailServer), await cpuSeconds(), Date.now()];
  for (let done = 0; done < mails; done += BATCH) {
    await inTransaction(of.db, NO_DEADLINE, (tx) => outbox.add(tx, events.slice(done, done + BATCH)));
  }
  const seconds = ((await arrival(mailServer, count + mails, ALL_SECONDS)) - began) / 1000;
  const cpu = (1000 * ((await cpuSeconds()) - cpuBefore)) / mails;
  const detail = `${whole(mails)} mails in ${seconds.toFixed(1)} s, from the first row of the outbox to the last mail; ${cpu.toFixed(2)} ms of the worker's CPU for each`;
  const title = `${of.things} per second from the outbox to the mail server, one worker`;
  return { id: of.id, title, value: mails / seconds, unit: '/s', bar: { atLeast: 400 }, detail };
}

/** When the mail server received its mail number `count`, in epoch milliseconds. */
async function arrival(mailServer: Counterpart, count: number, seconds: number): Promise<number> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    const state = await received(mailServer);
    if (state.count >= count) return state.lastAt;
    await sleep(ASK_MS);
  }
  throw new Error(`the mail server did not receive every mail within ${seconds} s`);
}

async function received(mailServer: Counterpart): Promise<{ count: number; lastAt: number }> {
  return (await mailServer.state()) as { count: number; lastAt: number }; // its state
}

function notice(seal: Seal): AnyEvent {
  const content = { Email: `${newId()}@gatehouse.example`, Locale: 'en', At: new Date().toISOString() };
  return newMailEvent(seal, 'account.password-changed', { UserId: newId() }, content);
}

interface Code {
  id: string;
  accountId: string;
  email: string;
  expiresAt: Date;
}

/** The codes that `latency` has requested. */
async function findCodes(db: Db) {
  return await query<Code>(
    db,
    `select code.id, account_id as "accountId", account.email, code.expires_at as "expiresAt"
     from account_code code
     join account on account.id = account_id
     where purpose = 'reset'`,
  );
}

function resetMail(seal: Seal, code: Code | undefined): AnyEvent {
  if (code === undefined) throw new Error('there are no codes');
  const { id: CodeId, accountId: UserId, email: Email, expiresAt } = code;
  const content = { Email, Locale: 'en', Code: 'ABCD2345', CodeId, CodeExpiresAt: expiresAt.toISOString() };
  return newMailEvent(seal, 'account.password-reset-requested', { UserId }, content);
}
