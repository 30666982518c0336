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

/** Starts to mail the codes that forgot-password and resend-verification requested, to accounts that need one. */
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
