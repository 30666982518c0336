import {
  isResettable,
  isVerifiable,
  mailCode,
  mailLoginCode,
  startMailRequests,
  type AccountsDeps,
  type MailRequests,
} from '@gatehouse/accounts';
import type { Metrics } from '@gatehouse/runtime';
import { createMailRequestMetrics } from './mail-request-metrics.ts';

/** Starts to mail the codes that were requested without a login, to accounts that may get one. */
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
      login: async (tx, account, { requestHash, ...origin }) => {
        if (requestHash !== undefined) await mailLoginCode(deps, tx, account, { ...origin, requestHash });
      },
    },
    show: shown.show,
  });
}
