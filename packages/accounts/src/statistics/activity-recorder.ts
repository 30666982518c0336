import { createActivityCounter, type ActivityCounter, type ActivityKind } from '@gatehouse/db';
import { Counter, type Metrics } from '@gatehouse/runtime';

type LoginKind = 'password' | 'sso' | 'passkey' | 'email';

/** Counts activity: per hour for the statistics, and since the start of the process for Prometheus. */
export interface ActivityRecorder extends ActivityCounter {
  /** Counts a refused login. `reason` has a limited set of values, such as the codes of conditions. */
  refused(kind: LoginKind, reason: string): void;
}

export function createActivityRecorder(options: {
  metrics: Metrics;
  now?: (() => number) | undefined;
}): ActivityRecorder {
  const counter = createActivityCounter(options.now);
  const observe = createActivityMetrics(options.metrics);
  return {
    count: (kind, times = 1) => {
      counter.count(kind, times);
      if (times > 0) observe.activity(kind, times);
    },
    refused: (kind, reason) => {
      counter.count(`refused.${reason}`);
      observe.login(kind, reason);
    },
    flush: counter.flush,
  };
}

function createActivityMetrics(metrics: Metrics) {
  const registers = [metrics];
  const logins = new Counter({
    name: 'gatehouse_logins_total',
    help: 'Logins by how they were tried and how they ended: success, or why they were refused',
    labelNames: ['kind', 'result'],
    registers,
  });
  const sessions = new Counter({
    name: 'gatehouse_sessions_ended_total',
    help: 'Sessions that ended, by reason',
    labelNames: ['reason'],
    registers,
  });
  const invitations = new Counter({
    name: 'gatehouse_invitations_total',
    help: 'Invitations that were sent and accepted',
    labelNames: ['result'],
    registers,
  });
  return {
    login: (kind: LoginKind, result: string) => logins.inc({ kind, result }),
    activity: (activity: ActivityKind, times: number) => {
      const [subject, detail = ''] = activity.split('.', 2);
      if (subject === 'login') logins.inc({ kind: detail, result: 'success' }, times);
      else if (subject === 'session') sessions.inc({ reason: detail }, times);
      else if (subject === 'invitation') invitations.inc({ result: detail }, times);
    },
  };
}
