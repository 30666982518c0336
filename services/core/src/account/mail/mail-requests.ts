import { isResettable, isVerifiable, mailCode } from '@gatehouse/accounts';
import {
  accounts,
  inTransaction,
  mailRequests,
  type Account,
  type MailRequest,
  type MailRequestPurpose,
} from '@gatehouse/db';
import { NO_DEADLINE, type Metrics } from '@gatehouse/runtime';
import type { Deps } from '../../deps.ts';
import { createMailRequestMetrics } from './mail-request-metrics.ts';

/** Mails what was asked for by forgot-password and resend-verification, behind the answers. */
export interface MailRequests {
  /** Says that a request was committed, so that its mail goes out now instead of within a second. */
  wake(): void;
  /** Shows in the metrics how many wait. To be called every few seconds. */
  countWaiting(): Promise<void>;
  /** Waits for those under way. */
  stop(): Promise<void>;
}

const PURPOSES = ['reset', 'verify'] as const;
/** So many at once, of different emails: the connections are for requests. */
const AT_ONCE = 3;
/** Longer than one takes; when a process dies with it, another takes it up after that. */
const LEASE_SECONDS = 6;
const POLL_MS = 1000;
/** So far waiting requests are counted: as well as beyond it, there are far too many. */
const COUNT_MAX = 100_000;

type Needed = Omit<Deps, 'mailRequests'>;

/**
 * Begins to mail the codes that were asked for, in any number of processes at once. Requests for one email take turns
 * on its account, which those without one do not: answers that waited for that would tell them apart.
 */
export function startMailRequests(deps: Needed, metrics: Metrics): MailRequests {
  const shown = createMailRequestMetrics(metrics);
  let isStopped = false;
  let isWoken = false;
  let endPause: () => void = () => {};

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const work = async (): Promise<void> => {
    while (!isStopped) {
      isWoken = false;
      const count = await mailBatch(deps).catch((error: unknown) => {
        deps.log.warn('failed to read requests for emails, retrying', { error });
        return 0;
      });
      if (count < AT_ONCE && !isWoken && !isStopped) await pause();
    }
  };
  const ended = work();

  return {
    wake: () => {
      isWoken = true;
      endPause();
    },
    countWaiting: async () => shown.show(await mailRequests.backlog(deps.db, COUNT_MAX)),
    stop: async () => {
      isStopped = true;
      endPause();
      await ended;
    },
  };
}

/** How many were taken; what fails is taken again when its lease is over. */
async function mailBatch(deps: Needed): Promise<number> {
  const leased = await mailRequests.lease(deps.db, {
    purposes: PURPOSES,
    limit: AT_ONCE,
    leaseSeconds: LEASE_SECONDS,
  });
  const byMail = new Map(leased.map((request) => [`${request.purpose} ${request.emailKey}`, request]));
  const results = await Promise.allSettled([...byMail.values()].map((request) => mailOne(deps, request)));
  for (const result of results) {
    if (result.status === 'rejected') {
      deps.log.warn('request for an email failed, retrying', { error: result.reason });
    }
  }
  return leased.length;
}

async function mailOne(deps: Needed, request: MailRequest): Promise<void> {
  const { emailKey, purpose, traceId } = request;
  await inTransaction(deps.db, NO_DEADLINE, async (tx) => {
    const account = await accounts.lockByEmailKey(tx, emailKey);
    // Behind the lock: what came while it was waited for is answered by the same mail.
    await mailRequests.removeAll(tx, request);
    if (account === undefined || !MAY_HAVE[purpose](account)) return;
    await mailCode(deps, tx, account, purpose, { traceId });
  });
  deps.relay.wake();
}

/** Whom a code of each purpose would help. */
const MAY_HAVE: Record<MailRequestPurpose, (account: Account) => boolean> = {
  reset: isResettable,
  verify: isVerifiable,
};
