import type { Socket } from 'node:net';
import { createActivityCounter, query } from '@gatehouse/db';
import { insertRow, testOutbox } from '@gatehouse/db/testing';
import { createSeal, createUnseal, newMailEvent } from '@gatehouse/events';
import { testMailWriter } from '@gatehouse/mails/testing';
import { createMetrics, mailPublicKeyOf, type Metrics, type Tracing } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { createMailer } from '../smtp/transport.ts';
import { startWorker } from '../worker.ts';
import { startTalker } from './talker.ts';

interface Mail {
  to: string[];
  raw: string;
}

/** A reply such as `450 busy`; `undefined` accepts. */
type Reply = string | undefined;

/** A mail server that keeps the mails, unless it replies as a test wants to a sender, a recipient or a whole mail. */
export async function startSink(wished = 0) {
  const recipients = new WeakMap<Socket, string[]>();
  const sink = {
    mails: [] as Mail[],
    answerToSender: (): Reply => undefined,
    answerTo: (_address: string): Reply => undefined,
    answerToMail: (_mail: Mail): Reply | Promise<Reply> => undefined,
  };
  const { port, close } = await startTalker(async ({ command, line, content, socket }) => {
    if (command === 'MAIL') {
      recipients.set(socket, []);
      return sink.answerToSender();
    }
    const to = recipients.get(socket) ?? [];
    if (command === 'RCPT') {
      const [, address = ''] = /<([^<>]*)>/.exec(line) ?? [];
      to.push(address);
      return sink.answerTo(address);
    }
    if (command !== '.') return undefined;
    const mail = { to, raw: content };
    const answer = await sink.answerToMail(mail);
    if (answer === undefined) sink.mails.push(mail);
    return answer;
  }, wished);
  return Object.assign(sink, { port, url: `smtp://127.0.0.1:${port}`, close });
}

export const MAIL_KEY = 'a key for tests of at least 32 characters';

/** The path of a mail from the outbox to the sink, with any number of workers. */
export async function startTestMailWorker() {
  const path = await testOutbox('mail-worker');
  const { db, own, broker, publish } = path;
  const unseal = createUnseal(MAIL_KEY);
  const seal = createSeal(mailPublicKeyOf(MAIL_KEY));
  const stops: (() => unknown)[] = [];
  const log = testLog();
  const rig = {
    ...path,
    sink: await startSink(),
    lines: log.lines,
    activity: createActivityCounter(),
  };
  const delivery = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await query<Record<string, unknown>>(db, 'select * from mail_delivery where id = ?', [id]);
    return row ?? {};
  };
  return Object.assign(rig, {
    startWorker: async (given: { metrics?: Metrics; tracing?: Tracing; now?: () => number } = {}) => {
      const { tracing } = given;
      const from = { name: 'Gatehouse', address: 'no-reply@gatehouse.example' };
      const mailer = createMailer({ smtpUrl: rig.sink.url, from, tracing });
      const worker = startWorker({
        ...{ db: own, amqpUrl: broker.url, topology: broker.topology, unseal, mailer, log, tracing },
        writeMail: testMailWriter({ publicUrl: 'https://gatehouse.example/' }),
        keepDays: 30,
        activity: rig.activity,
        metrics: createMetrics('mail-worker'),
        ...given,
      });
      stops.push(
        () => worker.close(),
        () => mailer.close(),
      );
      await eventually(() => worker.checkReady().then(() => true));
      return worker;
    },
    /** Commits a mail with a valid code to the outbox, as a registration does. */
    send: async ({
      email = `${uuid()}@example.com`,
      traceId,
      isPublished = true,
    }: { email?: string; traceId?: string; isPublished?: boolean } = {}) => {
      const [accountId, codeId] = [uuid(), uuid()];
      await insertRow(db, 'account', { id: accountId, email, emailKey: accountId });
      const CodeExpiresAt = new Date(Date.now() + 600_000).toISOString();
      const code = { purpose: 'verify', id: codeId, codeHash: Buffer.alloc(0), triesLeft: 5 };
      await insertRow(db, 'account_code', { accountId, ...code, expiresAt: CodeExpiresAt });
      const content = { Email: email, Locale: 'en', Code: 'ABCD1234', CodeId: codeId, CodeExpiresAt };
      const facts = { UserId: accountId };
      const event = newMailEvent(seal, 'account.verification-requested', facts, content, { traceId });
      if (isPublished) await publish(event);
      return { id: event.id, event, accountId, email };
    },
    delivery,
    hasStatus: (id: string, status: string) =>
      eventually(async () => {
        const row = await delivery(id);
        return row['status'] === status && row;
      }, 20),
    dueAgain: (id: string) => {
      const sql = `update mail_delivery set next_try_at = now() - interval '1 minute', claimed_until = null where id = ?`;
      return query(db, sql, [id]);
    },
    mailsTo: (address: string) => rig.sink.mails.filter(({ to }) => to.includes(address)),
    stop: async () => {
      for (const stop of stops) await stop();
      await rig.sink.close();
      await path.close();
    },
  });
}
