import type { AddressInfo } from 'node:net';
import { createActivityCounter, query } from '@gatehouse/db';
import { insertRow, testOutbox } from '@gatehouse/db/testing';
import { createSeal, createUnseal, newMailEvent } from '@gatehouse/events';
import { testMailWriter } from '@gatehouse/mails/testing';
import { createMetrics, mailPublicKeyOf, type Metrics, type Tracing } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { SMTPServer } from 'smtp-server';
import { v7 as uuid } from 'uuid';
import { createMailer } from '../smtp/transport.ts';
import { startWorker } from '../worker.ts';

interface Mail {
  to: string[];
  raw: string;
}

/** A reply such as `[450, 'busy']`; `undefined` accepts. */
type Reply = [number, string] | undefined;

export type Sink = Awaited<ReturnType<typeof startSink>>;

/** A mail server that keeps the mails, unless it replies as a test wants to a sender, a recipient or a whole mail. */
export async function startSink(port = 0) {
  const mails: Mail[] = [];
  const sink = {
    mails,
    answerToSender: (): Reply => undefined,
    answerTo: (_address: string): Reply => undefined,
    answerToMail: (_mail: Mail): Reply | Promise<undefined> => undefined,
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 50,
    onMailFrom: (_address, _session, done) => done(fault(sink.answerToSender())),
    onRcptTo: ({ address }, _session, done) => done(fault(sink.answerTo(address))),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const mail = { to, raw: Buffer.concat(parts).toString('utf8') };
        void Promise.resolve(sink.answerToMail(mail)).then((answer) => {
          if (answer === undefined) sink.mails.push(mail);
          done(fault(answer));
        });
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const listening = (server.server.address() as AddressInfo).port; // the server listens on a port
  return Object.assign(sink, {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function fault(answer: Reply): Error | null {
  return answer ? Object.assign(new Error(answer[1]), { responseCode: answer[0] }) : null;
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
