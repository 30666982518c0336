import type { Backlog } from '@gatehouse/db';
import { mailKinds, type MailKind } from '@gatehouse/events';
import { Counter, Gauge, Histogram, type Metrics } from '@gatehouse/runtime';

export type MailMetrics = ReturnType<typeof createMailMetrics>;

export function createMailMetrics(metrics: Metrics) {
  const mails = new Counter({
    name: 'gatehouse_mails_total',
    help: 'Email delivery attempts by kind and result: sent, retried or parked',
    labelNames: ['kind', 'result'],
    registers: [metrics],
  });
  // Prometheus does not see an increase if there was no value before.
  for (const kind of mailKinds) mails.inc({ kind, result: 'parked' }, 0);
  const lag = new Histogram({
    name: 'gatehouse_mail_lag_seconds',
    help: 'Time from the event until the mail server accepted the email',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400],
    registers: [metrics],
  });
  const waiting = new Gauge({
    name: 'gatehouse_mails_waiting',
    help: 'Recorded emails that are neither sent nor parked, across all mail workers, up to 100000',
    registers: [metrics],
  });
  const oldest = new Gauge({
    name: 'gatehouse_mails_oldest_seconds',
    help: 'Age of the oldest recorded email that is neither sent nor parked, 0 if none',
    registers: [metrics],
  });
  const stopped = new Gauge({
    name: 'gatehouse_mails_stopped',
    help: '1 while the mail server cannot be reached or refuses all our emails, else 0',
    registers: [metrics],
  });
  return {
    show: ({ count, ageSeconds }: Backlog, isUp: boolean) => {
      stopped.set(isUp ? 0 : 1);
      waiting.set(count);
      oldest.set(ageSeconds);
    },
    /** `eventTime`: when the mail was requested. */
    count: (kind: MailKind, result: 'sent' | 'retried' | 'parked', eventTime: string) => {
      mails.inc({ kind, result });
      if (result === 'sent') lag.observe(Math.max(0, (Date.now() - Date.parse(eventTime)) / 1000));
    },
  };
}
