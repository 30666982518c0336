import { guestAccounts, inTransaction, mailRequests, resumeTrace } from '@gatehouse/db';
import type { KeyedAccount, LeasedMailRequest, MailRequestPurpose, MailRequestTable } from '@gatehouse/db';
import { Gauge, NO_DEADLINE, startWakeableLoop, withMinimumDuration, type Metrics } from '@gatehouse/runtime';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import type { AccountsDeps, Origin, SessionDeps } from '../deps.ts';
import { write, type WriteTransaction } from '../session/write.ts';
import { takeShare, type Throttled } from '../checks/attempts.ts';

type Deps = Pick<AccountsDeps, 'db' | 'mailsAskedFor'> & { mailRequests: Pick<MailRequests, 'wake'> };

interface MailRequest {
  email: string;
  purpose: MailRequestPurpose;
  table: MailRequestTable;
  addressGroup: string;
  /** Of a code with which to log in: the hash of the secret of the browser that asks. */
  requestHash?: Buffer | undefined;
}

/** The usual time for storing a request: no request is answered sooner. */
const MAIL_MS = 60;

/** Answer and timing do not show whether the email has an account: that is looked up after the answer. */
export async function requestMail(deps: Deps, asked: MailRequest, origin: Origin) {
  return withMinimumDuration(MAIL_MS, takeDown(deps, asked, origin));
}

async function takeDown(deps: Deps, asked: MailRequest, origin: Origin): Promise<Throttled | undefined> {
  const { email, purpose, table, addressGroup, requestHash } = asked;
  const limited = await takeShare(deps.mailsAskedFor, addressGroup);
  if (limited !== undefined) return limited;
  const { traceId } = origin;
  const key = emailKey(normalizeEmail(email) ?? '');
  const request = { emailKey: key, purpose, traceId, addressGroup, requestHash };
  await inTransaction(deps.db, origin, (tx) => mailRequests.add(tx, table, request));
  deps.mailRequests.wake();
  return undefined;
}

export type MailRequests = ReturnType<typeof startMailRequests>;

/** What a request contained besides the email; `requestHash` only for a code with which to log in. */
type Asked = Origin & { requestHash?: Buffer | undefined };

/** Mails an account the requested mail, if the account may get it; the account is locked. */
export type AnswerMailRequest = (tx: WriteTransaction, account: KeyedAccount, asked: Asked) => Promise<void>;

interface Options {
  table: MailRequestTable;
  answers: Readonly<Partial<Record<MailRequestPurpose, AnswerMailRequest>>>;
  /** The metrics of how many requests are waiting, and of the age of the oldest. */
  measured: Readonly<Record<'waiting' | 'oldest', { name: string; help: string }>>;
}

type Needed = SessionDeps & Pick<AccountsDeps, 'work' | 'log'>;

/** How many requests, for different emails, are handled at once; most connections are for API requests. */
const AT_ONCE = 3;
/** Longer than a request takes; if a process dies with it, another process takes it after this time. */
const LEASE_SECONDS = 6;
const POLL_MS = 10_000;
/** Waiting requests are counted up to this number: more than this is far too many in any case. */
const COUNT_MAX = 100_000;

/**
 * Starts sending requested mails, in any number of processes. Requests for one email wait for the lock of its account,
 * if there is one: if answers waited for this, their timing would reveal which emails have one.
 */
export function startMailRequests(deps: Needed, metrics: Metrics, options: Options) {
  const waiting = new Gauge({ ...options.measured.waiting, registers: [metrics] });
  const oldest = new Gauge({ ...options.measured.oldest, registers: [metrics] });
  const loop = startWakeableLoop(POLL_MS, async () => {
    const count = await mailBatch(deps, options).catch((error: unknown) => {
      deps.log.warn('failed to read requests for emails, retrying', { error });
      return 0;
    });
    return count === AT_ONCE;
  });
  deps.work.on(options.table, () => loop.wake());
  return {
    /** Call this after committing a request, so that its mail goes out now. */
    wake: () => loop.wake(),
    /** Measures how many requests are waiting. Call it every few seconds. */
    countWaiting: async (): Promise<void> => {
      const { count, ageSeconds } = await mailRequests.backlog(deps.db, options.table, COUNT_MAX);
      waiting.set(count);
      oldest.set(ageSeconds);
    },
    /** Stops, and waits for requests in progress. */
    stop: () => loop.stop(),
  };
}

/** Returns how many requests were leased; one that fails is leased again when its lease is over. */
async function mailBatch(deps: Needed, options: Options): Promise<number> {
  const leased = await mailRequests.lease(deps.db, options.table, {
    // The keys of `answers`, as defined by `Options`.
    purposes: Object.keys(options.answers) as MailRequestPurpose[],
    limit: AT_ONCE,
    leaseSeconds: LEASE_SECONDS,
  });
  const byMail = new Map(leased.map((request) => [mailOf(request), request]));
  const results = await Promise.allSettled(
    [...byMail.values()].map((request) =>
      resumeTrace(deps.db, 'mail request', request.traceparent ?? undefined, () =>
        answerOne(deps, options, request),
      ),
    ),
  );
  for (const result of results) {
    if (result.status === 'rejected')
      deps.log.warn('request for an email failed, retrying', { error: result.reason });
  }
  return leased.length;
}

/** Requests with the same value are answered by one mail. */
function mailOf({ id, purpose, emailKey: key, requestHash }: LeasedMailRequest): string {
  return requestHash === null ? `${purpose} ${key}` : id;
}

async function answerOne(deps: Needed, { table, answers }: Options, request: LeasedMailRequest) {
  const { emailKey: key, purpose, traceId, requestHash } = request;
  const origin = { ...NO_DEADLINE, traceId };
  await write(deps, { actor: { kind: 'System' }, origin }, async (tx) => {
    const account = await guestAccounts.lockByEmailKey(tx, key);
    // After getting the lock: this mail also answers requests that arrived while waiting for it.
    const askedFrom = await mailRequests.removeAll(tx, table, request);
    if (account === undefined || askedFrom === undefined) return;
    const asked = { ...origin, askedFrom, requestHash: requestHash ?? undefined };
    await answers[purpose]?.(tx, account, asked);
  });
}
