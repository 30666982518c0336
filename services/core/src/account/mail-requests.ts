import { isResettable, isVerifiable, mailCode, mailLoginCode, startMailRequests } from '@gatehouse/accounts';
import type { AccountsDeps, MailRequests } from '@gatehouse/accounts';
import type { Metrics } from '@gatehouse/runtime';

/** Mails the codes that were requested without a login, to accounts that may get one. */
export function answerMailRequests(deps: AccountsDeps, metrics: Metrics): MailRequests {
  return startMailRequests(deps, metrics, {
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
    measured: {
      waiting: {
        name: 'gatehouse_reset_requests_waiting',
        help: 'Requests for codes by email whose email is not queued yet, across all instances, up to 100000',
      },
      oldest: {
        name: 'gatehouse_reset_requests_oldest_seconds',
        help: 'Age of the oldest request for a code by email whose email is not queued yet, 0 if none',
      },
    },
  });
}
