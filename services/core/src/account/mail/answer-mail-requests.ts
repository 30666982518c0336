import {
  isResettable,
  isVerifiable,
  mailCode,
  startMailRequests,
  type AccountsDeps,
  type MailRequests,
} from '@gatehouse/accounts';
import type { Metrics } from '@gatehouse/runtime';
import { createMailRequestMetrics } from './mail-request-metrics.ts';

/** Begins to mail the codes that forgot-password and resend-verification were asked for: to whom one would help. */
export function answerMailRequests(deps: AccountsDeps, metrics: Metrics): MailRequests {
  const shown = createMailRequestMetrics(metrics);
  return startMailRequests(deps, {
    table: 'reset_request',
    answers: {
      reset: async (tx, account, origin) => {
        if (isResettable(account)) await mailCode(deps, tx, account, 'reset', origin);
      },
      verify: async (tx, account, origin) => {
        if (isVerifiable(account)) await mailCode(deps, tx, account, 'verify', origin);
      },
    },
    show: shown.show,
  });
}
