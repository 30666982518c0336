import type { AddressInfo } from 'node:net';
import {
  connectDb,
  createActivityCounter,
  inTransaction,
  outbox,
  query,
  startRelay,
  type ActivityCounter,
  type Db,
} from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { createPublisher, createSeal, createUnseal, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { testBroker, type TestBroker } from '@gatehouse/events/testing';
import { testMailWriter } from '@gatehouse/mails/testing';
import { createMetrics, mailPublicKeyOf, type Metrics, NO_DEADLINE, type Tracing } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { SMTPServer } from 'smtp-server';
import { v7 as uuid } from 'uuid';
import { createMailer } from '../smtp/transport.ts';
import { startWorker, type Worker } from '../worker.ts';

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
export interface TestMailWorker {
  db: Db;
  broker: TestBroker;
  sink: Sink;
  startWorker(options?: {
    smtpUrl?: string;
    amqpUrl?: string;
    publicUrl?: string;
    metrics?: Metrics;
    tracing?: Tracing;
    now?: () => number;
  }): Promise<Worker>;
  /** Commits a mail with a valid code to the outbox, as a registration does. */
  send(options?: {
    email?: string;
    name?: string;
    locale?: string;
    traceId?: string;
    publish?: boolean;
  }): Promise<SentMail>;
  delivery(id: string): Promise<Record<string, unknown>>;
  wake(): void;
  /** The log lines of the workers. */
  lines: readonly object[];
  /** The counts of the workers. */
  activity: ActivityCounter;
  close(): Promise<void>;
}

export interface SentMail {
  id: string;
  event: AnyEvent;
  accountId: string;
  email: string;
}

export const MAIL_KEY = 'a key for tests of at least 32 characters';

export async function startTestMailWorker(): Promise<TestMailWorker> {
  const { db, urlAs, drop } = await testDatabase();
  const own = connectDb({ url: urlAs('mail-worker'), applicationName: 'test', poolMax: 10 });
  const broker = await testBroker();
  const publisher = createPublisher({ url: broker.url, log: testLog(), topology: broker.topology });
  await eventually(() => publisher.isReady());
  const relay = startRelay({ db, publisher, log: testLog() });
  const unseal = createUnseal(MAIL_KEY);
  const seal = createSeal(mailPublicKeyOf(MAIL_KEY));
  const stops: (() => unknown)[] = [];
  const log = testLog();
  const rig: TestMailWorker = {
    lines: log.lines,
    activity: createActivityCounter(),
    db,
    broker,
    sink: await startSink(),
    wake: () => relay.wake(),
    startWorker: async ({
      smtpUrl = rig.sink.url,
      amqpUrl = broker.url,
      publicUrl = 'https://gatehouse.example/',
      metrics = createMetrics('mail-worker'),
      tracing,
      now,
    } = {}) => {
      const mailer = createMailer({
        smtpUrl,
        from: { name: 'Gatehouse', address: 'no-reply@gatehouse.example' },
        tracing,
      });
      const { topology } = broker;
      const worker = startWorker({
        db: own,
        amqpUrl,
        unseal,
        mailer,
        writeMail: testMailWriter({ publicUrl }),
        keepDays: 30,
        activity: rig.activity,
        log,
        metrics,
        tracing,
        topology,
        ...(now !== undefined && { now }),
      });
      stops.push(
        () => worker.close(),
        () => mailer.close(),
      );
      await eventually(() => worker.checkReady().then(() => true));
      return worker;
    },
    send: async ({ email = `${uuid()}@example.com`, name, locale = 'en', traceId, publish = true } = {}) => {
      const accountId = uuid();
      const codeId = uuid();
      await query(db, 'insert into account (id, email, email_key) values (?, ?, ?)', [
        accountId,
        email,
        accountId,
      ]);
      await query(
        db,
        `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
         values (?, 'verify', ?, '', 5, now() + interval '10 minutes')`,
        [accountId, codeId],
      );
      const content = {
        Email: email,
        Locale: locale,
        Code: 'ABCD1234',
        CodeId: codeId,
        CodeExpiresAt: new Date(Date.now() + 600_000).toISOString(),
        ...(name !== undefined && { DisplayName: name }),
      };
      const event = newMailEvent(seal, 'account.verification-requested', { UserId: accountId }, content, {
        traceId,
      });
      if (publish) await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
      relay.wake();
      return { id: event.id, event, accountId, email };
    },
    delivery: async (id) => {
      const [row] = await query<Record<string, unknown>>(db, 'select * from mail_delivery where id = ?', [
        id,
      ]);
      return row ?? {};
    },
    close: async () => {
      for (const stop of stops) await stop();
      await relay.stop();
      await publisher.close();
      await rig.sink.close();
      await broker.drop();
      await own.destroy();
      await drop();
    },
  };
  return rig;
}
