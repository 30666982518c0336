import {
  guestAccounts,
  inTransaction,
  mailRequests,
  resumeTrace,
  type Backlog,
  type KeyedAccount,
  type LeasedMailRequest,
  type MailRequest,
  type MailRequestPurpose,
  type MailRequestTable,
  type Transaction,
} from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { AccountsDeps, Origin } from '../deps.ts';

/** Mails what strangers asked for, behind the answers. */
export interface MailRequests {
  /** Says that a request was committed, so that its mail goes out now instead of within a second. */
  wake(): void;
  /** Shows how many wait. To be called every few seconds. */
  countWaiting(): Promise<void>;
  /** Waits for those under way. */
  stop(): Promise<void>;
}

/** Mails an account what was requested, if the account may have it; the account is locked. */
export type AnswerMailRequest = (tx: Transaction, account: KeyedAccount, origin: Origin) => Promise<void>;

interface Options {
  table: MailRequestTable;
  /** What is done about requests of each kind in the table. */
  answers: Readonly<Partial<Record<MailRequestPurpose, AnswerMailRequest>>>;
  /** Tells operators how many wait. */
  show: (waiting: Backlog) => void;
}

type Needed = Pick<AccountsDeps, 'db' | 'relay' | 'log'>;

/** So many at once, of different emails: the connections are for requests. */
const AT_ONCE = 3;
/** Longer than one takes; when a process dies with it, another takes it up after that. */
const LEASE_SECONDS = 6;
const POLL_MS = 1000;
/** So far waiting requests are counted: as well as beyond it, there are far too many. */
const COUNT_MAX = 100_000;

/**
 * Begins to mail what was asked for, in any number of processes at once. Requests for one email take turns
 * on its account, which those without one do not: answers that waited for that would tell them apart.
 */
export function startMailRequests(deps: Needed, options: Options): MailRequests {
  let isStopped = false;
  let isWakePending = false;
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
      isWakePending = false;
      const count = await mailBatch(deps, options).catch((error: unknown) => {
        deps.log.warn('failed to read requests for emails, retrying', { error });
        return 0;
      });
      if (count < AT_ONCE && !isWakePending && !isStopped) await pause();
    }
  };
  const ended = work();

  return {
    wake: () => {
      isWakePending = true;
      endPause();
    },
    countWaiting: async () => options.show(await mailRequests.backlog(deps.db, options.table, COUNT_MAX)),
    stop: async () => {
      isStopped = true;
      endPause();
      await ended;
    },
  };
}

/** How many were taken; what fails is taken again when its lease is over. */
async function mailBatch(deps: Needed, options: Options): Promise<number> {
  const leased = await mailRequests.lease(deps.db, options.table, {
    // The names of the answers, as `Options` has them.
    purposes: Object.keys(options.answers) as MailRequestPurpose[],
    limit: AT_ONCE,
    leaseSeconds: LEASE_SECONDS,
  });
  const byMail = new Map(leased.map((request) => [`${request.purpose} ${request.emailKey}`, request]));
  const results = await Promise.allSettled(
    [...byMail.values()].map((request) => mailOne(deps, options, request)),
  );
  for (const result of results) {
    if (result.status === 'rejected') {
      deps.log.warn('request for an email failed, retrying', { error: result.reason });
    }
  }
  return leased.length;
}

async function mailOne(deps: Needed, options: Options, request: LeasedMailRequest): Promise<void> {
  const answer = () => answerOne(deps, options, request);
  await resumeTrace(deps.db, 'mail request', request.traceparent ?? undefined, answer);
  deps.relay.wake();
}

async function answerOne(deps: Needed, { table, answers }: Options, request: MailRequest): Promise<void> {
  const { emailKey, purpose, traceId } = request;
  await inTransaction(deps.db, NO_DEADLINE, async (tx) => {
    const account = await guestAccounts.lockByEmailKey(tx, emailKey);
    // Behind the lock: what came while it was waited for is answered by the same mail.
    await mailRequests.removeAll(tx, table, request);
    if (account !== undefined) await answers[purpose]?.(tx, account, { ...NO_DEADLINE, traceId });
  });
}
