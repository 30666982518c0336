import type { MailKind, Outcome } from '@gatehouse/events';
import { Counter, Histogram, type Metrics } from '@gatehouse/runtime';

/** What operators watch: how many mails went which way, and how old they were when they left. */
export interface MailMetrics {
  count(kind: MailKind, outcome: Outcome, eventTime: string): void;
}

export function createMailMetrics(metrics: Metrics): MailMetrics {
  const mails = new Counter({
    name: 'gatehouse_mails_total',
    help: 'Mails by kind and what became of the try: sent, retried or parked',
    labelNames: ['kind', 'result'],
    registers: [metrics],
  });
  const lag = new Histogram({
    name: 'gatehouse_mail_lag_seconds',
    help: 'From the event to the moment the mail server took its mail',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400],
    registers: [metrics],
  });
  return {
    count: (kind, outcome, eventTime) => {
      const result = outcome === 'done' ? 'sent' : 'dead' in outcome ? 'parked' : 'retried';
      mails.inc({ kind, result });
      if (outcome === 'done') lag.observe(Math.max(0, (Date.now() - Date.parse(eventTime)) / 1000));
    },
  };
}
