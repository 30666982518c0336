import { activity, createActivityCounter, createSchemaCheck, openDb, query } from '@gatehouse/db';
import { createUnseal } from '@gatehouse/events';
import { createMailWriter } from '@gatehouse/mails';
import { runService } from '@gatehouse/runtime';
import { readWorkerConfig } from './config.ts';
import { forgetMails } from './record-mail.ts';
import { createMailer } from './smtp/transport.ts';
import { startWorker } from './worker.ts';

const service = 'mail-worker';

runService(service, readWorkerConfig, async ({ config, lifecycle, log, metrics, tracing }) => {
  const db = openDb(service, config, { lifecycle, tracing });
  const mailer = createMailer({ smtpUrl: config.SMTP_URL, ca: config.SMTP_CA, from: config.from, tracing });
  lifecycle.onStop(() => mailer.close());
  const { brand, locales, publicUrl, pageAddresses } = config;
  for (const gap of locales.gaps)
    log.warn('a locale file is incomplete or contains unknown texts', { ...gap });
  const counter = createActivityCounter();
  const worker = startWorker({
    db,
    amqpUrl: config.AMQP_URL,
    amqpCa: config.AMQP_CA,
    unseal: createUnseal(config.MAIL_KEY),
    mailer,
    writeMail: createMailWriter({ brand, locales, publicUrl, ...pageAddresses }),
    keepDays: config.MAIL_KEEP_DAYS,
    activity: counter,
    log,
    metrics,
    tracing,
  });
  lifecycle.every(2, 'extending the leases of emails in progress', () => worker.extendHolds());
  lifecycle.every(2, 'probing the mail server', () => worker.probe());
  lifecycle.every(5, 'counting pending emails', () => worker.countWaiting());
  lifecycle.every(600, 'deleting old email records', () => forgetMails(db, config.MAIL_KEEP_DAYS));
  const saveCounts = () => counter.flush((counts) => activity.add(db, counts));
  lifecycle.every(10, 'saving statistics', saveCounts);
  lifecycle.onStop(saveCounts);
  lifecycle.onStop(() => worker.close());
  // The mail server is not among them: while it is down, mails are still recorded and wait.
  return {
    checks: {
      postgres: () => query(db, 'select 1'),
      schema: createSchemaCheck({ db, log }),
      rabbitmq: () => worker.checkReady(),
    },
  };
});
