import type { AddressInfo } from 'node:net';
import { createActivityCounter, query } from '@gatehouse/db';
import { testOutbox } from '@gatehouse/db/testing';
import { createSeal, createUnseal, newMailEvent } from '@gatehouse/events';
import { testMailWriter } from '@gatehouse/mails/testing';
import { createMetrics, mailPublicKeyOf, type Metrics, type Tracing } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { SMTPServer } from 'smtp-server';
import { v7 as uuid } from 'uuid';
import { createMailer } from '../smtp/transport.ts';
import { startWorker } from '../worker.ts';

/** A mail server that behaves as the test specifies. */
export interface Sink {
  url: string;
  port: number;
  mails: { to: string[]; raw: string }[];
  /** The reply to a sender, a recipient or a whole mail, such as `[450, 'busy']`; `undefined` accepts it. */
  answerToSender: () => [number, string] | undefined;
  answerTo: (address: string) => [number, string] | undefined;
  answerToMail: (mail: { to: string[]; raw: string }) => [number, string] | undefined | Promise<undefined>;
  close(): Promise<void>;
}

export async function startSink(port = 0): Promise<Sink> {
  const sink: Sink = {
    url: '',
    port: 0,
    mails: [],
    answerToSender: () => undefined,
    answerTo: () => undefined,
    answerToMail: () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
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
  sink.port = (server.server.address() as AddressInfo).port;
  sink.url = `smtp://127.0.0.1:${sink.port}`;
  return sink;
}

function fault(answer: [number, string] | undefined): Error | null {
  return answer ? Object.assign(new Error(answer[1]), { responseCode: answer[0] }) : null;
}

/** The path of a mail from the outbox to the sink, with any number of workers. */
export type TestMailWorker = Awaited<ReturnType<typeof startTestMailWorker>>;

export const MAIL_KEY = 'a key for tests of at least 32 characters';

interface WorkerOptions {
  smtpUrl?: string;
  amqpUrl?: string;
  publicUrl?: string;
  metrics?: Metrics;
  tracing?: Tracing;
  now?: () => number;
}

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
    /** The log lines and the counts of the workers. */
    lines: log.lines,
    activity: createActivityCounter(),
  };
  const delivery = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await query<Record<string, unknown>>(db, 'select * from mail_delivery where id = ?', [id]);
    return row ?? {};
  };
  return Object.assign(rig, {
    startWorker: async (given: WorkerOptions = {}) => {
      const { smtpUrl = rig.sink.url, amqpUrl = broker.url, tracing, now } = given;
      const { publicUrl = 'https://gatehouse.example/', metrics = createMetrics('mail-worker') } = given;
      const from = { name: 'Gatehouse', address: 'no-reply@gatehouse.example' };
      const mailer = createMailer({ smtpUrl, from, tracing });
      const worker = startWorker({
        ...{ db: own, amqpUrl, unseal, mailer, log, metrics, tracing, topology: broker.topology },
        writeMail: testMailWriter({ publicUrl }),
        keepDays: 30,
        activity: rig.activity,
        ...(now !== undefined && { now }),
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
      const account = 'insert into account (id, email, email_key) values (?, ?, ?)';
      await query(db, account, [accountId, email, accountId]);
      const sql = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
         values (?, 'verify', ?, '', 5, now() + interval '10 minutes')`;
      await query(db, sql, [accountId, codeId]);
      const CodeExpiresAt = new Date(Date.now() + 600_000).toISOString();
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
    close: async () => {
      for (const stop of stops) await stop();
      await rig.sink.close();
      await path.close();
    },
  });
}
