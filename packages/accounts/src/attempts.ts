import { loginThrottle, ownSessions } from '@gatehouse/db';
import type { AccountsDeps } from './deps.ts';

/** Too many failures: when to try again. */
export interface Throttled {
  retryAfterSeconds: number;
}

/** A check that is being counted; it must end in one of the four ways. */
export interface Attempt {
  /** The caller is who they say: nothing is held against the account any more. */
  succeeded(): Promise<void>;
  /** Right as far as it went; more is to be shown before earlier failures are forgotten. */
  passed(): Promise<void>;
  failed(): Promise<void>;
  /** Failures so far, this attempt counted among them, where they are counted by account. */
  failures?: number;
  /** Could not be decided, through no fault of the caller's. */
  undecided(): Promise<void>;
}

const WAIT_MS = 2000;
const POLL_MS = 50;

/**
 * Asks to check a secret (password, code, second factor) for an address's sake: guesses spread over many
 * accounts count together. Where checks under way fill the bound, it waits for them a little, so that many
 * good attempts at once do not stand in each other's way.
 */
export async function beginFromAddress(
  deps: AccountsDeps,
  addressGroup: string,
): Promise<Attempt | Throttled> {
  const admission = await waitFor(
    () => deps.failures.admit(addressGroup),
    (state) => state.admitted || !state.wait,
  );
  if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds };
  const settle = (failed: boolean) => () => deps.failures.settle(addressGroup, failed);
  const [right, wrong] = [settle(false), settle(true)];
  return { succeeded: right, passed: right, failed: wrong, undecided: right };
}

/**
 * Asks to check a secret of an account, known or not. The attempt counts as a failure before it is checked,
 * so that a burst of a hundred counts a hundred; a success clears the count.
 */
async function beginForAccount(deps: AccountsDeps, emailKey: string): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const free = settings.LOGIN_FAILURES_FREE;
  const deadline = Date.now() + WAIT_MS;
  let failures: number;
  for (;;) {
    const raised = await loginThrottle.raise(db, emailKey, free);
    failures = raised.failures;
    if (raised.admitted) break;
    if (!raised.isChecking || Date.now() > deadline) return raised;
    const block = await waitFor(
      () => loginThrottle.findBlock(db, emailKey),
      (state) => state === undefined || !state.isChecking,
    );
    if (block !== undefined) return block;
  }
  return {
    failures,
    succeeded: () => loginThrottle.clear(db, emailKey),
    passed: () => loginThrottle.settlePassed(db, emailKey),
    failed: () => loginThrottle.settleFailure(db, emailKey),
    undecided: () => loginThrottle.takeBack(db, emailKey, free),
  };
}

/**
 * As `beginForAccount`, with a count apart for each address: an owner who comes from where they have logged in
 * before, and has not failed there, need not wait for the guesses of others, who could keep the account waiting
 * for as long as they like.
 */
export async function beginForOwner(
  deps: AccountsDeps,
  { key, accountId, addressGroup }: { key: string; accountId: string | undefined; addressGroup: string },
): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  // No email's key holds a space.
  const ownKey = `${key} ${addressGroup}`;
  const attempt = await beginForAccount(deps, key);
  if (!('retryAfterSeconds' in attempt)) {
    const failed = async (): Promise<void> => {
      await attempt.failed();
      await loginThrottle.raise(db, ownKey, settings.LOGIN_FAILURES_FREE);
      await loginThrottle.settleFailure(db, ownKey);
    };
    return { ...attempt, failed };
  }
  const isKnown = accountId !== undefined && (await ownSessions.wasOpenedFrom(db, accountId, addressGroup));
  if (!isKnown) return attempt;
  const own = await beginForAccount(deps, ownKey);
  if ('retryAfterSeconds' in own) return own;
  const succeeded = async (): Promise<void> => {
    await own.succeeded();
    await loginThrottle.clear(db, key);
  };
  return { ...own, succeeded };
}

/**
 * Counts a mail that a stranger asks for by the stranger's address, so that nobody fills many mailboxes, or one
 * of many addresses; `undefined` while that is within bounds.
 */
export async function takeMailShare(
  deps: AccountsDeps,
  addressGroup: string,
): Promise<Throttled | undefined> {
  const admission = await deps.mailsAskedFor.admit(addressGroup);
  if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds };
  await deps.mailsAskedFor.settle(addressGroup, true);
  return undefined;
}

/** What a check found, and how that counts. */
export interface Judged<T> {
  counts: Exclude<keyof Attempt, 'failures'>;
  outcome: T;
}

/** Makes a check under its count and settles that by what the check found, or that it could not be made. */
export async function judge<T>(
  attempt: Attempt | Throttled,
  check: () => Promise<Judged<T>>,
): Promise<Judged<T | Throttled>> {
  if ('retryAfterSeconds' in attempt) return { counts: 'undecided', outcome: attempt };
  try {
    const judged = await check();
    await attempt[judged.counts]();
    return judged;
  } catch (error) {
    await attempt.undecided();
    throw error;
  }
}

async function waitFor<T>(look: () => Promise<T>, isDecided: (state: T) => boolean): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const state = await look();
    if (isDecided(state) || Date.now() > deadline) return state;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
