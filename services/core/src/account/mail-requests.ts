import {
  isResettable,
  isVerifiable,
  mailCode,
  mailLoginCode,
  requestMail,
  startMailRequests,
} from '@gatehouse/accounts';
import type { AccountsDeps, MailRequests } from '@gatehouse/accounts';
import type { MailRequestPurpose } from '@gatehouse/db';
import { tooManyMails, type Refuse, type RequestFacts } from '@gatehouse/http';
import type { Metrics } from '@gatehouse/runtime';
import type { Deps } from '../deps.ts';

/**
 * Records the anonymous request of a code by mail; every email gets the same response after the same time.
 *
 * @throws {ApiError} `too_many_requests` if the client's address has requested too many.
 */
export async function requestCode(
  deps: Deps,
  asked: { email: string; purpose: MailRequestPurpose },
  request: RequestFacts,
  refuse: Refuse<'too_many_requests'>,
): Promise<void> {
  const { addressGroup } = request;
  const limited = await requestMail(deps, { ...asked, table: 'reset_request', addressGroup }, request);
  if (limited !== undefined) throw tooManyMails(refuse, limited);
}

/** Starts to mail the codes that were requested without a login, to accounts that may get one. */
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
