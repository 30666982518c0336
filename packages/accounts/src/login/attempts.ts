import { loginThrottle, ownSessions, throttleKeyText, type Account, type ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';

/** Too many failures: when to try again. */
export interface Throttled {
  retryAfterSeconds: number;
}

/** A check that is being counted; it must end in one of the four ways. */
export interface Attempt {
  /** The caller is who they say: nothing is held against the account any more. */
  succeeded(): Promise<void>;
  /** Right as far as it went (partial success, as in RFC 4252); more is to be shown before earlier failures are forgotten. */
  partialSuccess(): Promise<void>;
  failed(): Promise<void>;
  /** Failures so far, this attempt counted among them, where they are counted by account. */
  failures?: number;
  /** The check could not be made, through no fault of the caller's: it does not count. */
  aborted(): Promise<void>;
}

const WAIT_MS = 2000;
const POLL_MS = 50;

/**
 * Asks to check a secret (password, code, second factor) for an address's sake: guesses spread over many
 * accounts count together. Where checks under way fill the bound, it waits for them a little, so that many
 * good attempts at once do not stand in each other's way. `about` says whom the secret is of: an address that
 * fails for many is worth a warning.
 */
export async function beginFromAddress(
  deps: AccountsDeps,
  addressGroup: string,
  about?: ThrottleKey,
): Promise<Attempt | Throttled> {
  const admission = await waitFor(
    () => deps.failures.admit(addressGroup),
    (state) => state.admitted || !state.wait,
  );
  if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds };
  const right = (): Promise<void> => admission.settle(false);
  const wrong = (): Promise<void> => admission.settle(true, about && throttleKeyText(about));
  return { succeeded: right, partialSuccess: right, failed: wrong, aborted: right };
}

/**
 * Asks to check a secret of an account, known or not. The attempt counts as a failure before it is checked,
 * so that a burst of a hundred counts a hundred; a success clears the count.
 */
async function beginForAccount(deps: AccountsDeps, key: ThrottleKey): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const free = settings.LOGIN_FAILURES_FREE;
  const deadline = Date.now() + WAIT_MS;
  let raised: loginThrottle.Attempt;
  for (;;) {
    raised = await loginThrottle.raise(db, key, free);
    if (raised.admitted) break;
    if (!raised.isChecking || Date.now() > deadline) return raised;
    const block = await waitFor(
      () => loginThrottle.findBlock(db, key),
      (state) => state === undefined || !state.isChecking,
    );
    if (block !== undefined) return block;
  }
  const { failures, check } = raised;
  return {
    failures,
    succeeded: () => loginThrottle.clear(db, key),
    partialSuccess: () => loginThrottle.settlePartialSuccess(db, key, check),
    failed: () => loginThrottle.settleFailure(db, key, check),
    aborted: () => loginThrottle.takeBack(db, key, check, free),
  };
}

/**
 * As `beginForAccount`, with a count apart for each address: an owner who comes from where they have logged in
 * before, and has not failed there, need not wait for the guesses of others, who could keep the account waiting
 * for as long as they like.
 */
export async function beginForOwner(
  deps: AccountsDeps,
  { key, accountId, addressGroup }: { key: ThrottleKey; accountId: string | undefined; addressGroup: string },
): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const ownKey: ThrottleKey = { ...key, from: addressGroup };
  const attempt = await beginForAccount(deps, key);
  if (!('retryAfterSeconds' in attempt)) {
    const failed = async (): Promise<void> => {
      await attempt.failed();
      const { check } = await loginThrottle.raise(db, ownKey, settings.LOGIN_FAILURES_FREE);
      await loginThrottle.settleFailure(db, ownKey, check);
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
 * Checks a second factor under the counts of its account: by its email, as a wrong password is counted, and by the
 * account itself, as an email can be changed in between.
 */
export async function withSecondFactorThrottle<T>(
  deps: AccountsDeps,
  { account, addressGroup }: { account: Pick<Account, 'id' | 'email'>; addressGroup: string },
  check: () => Promise<CheckResult<T>>,
): Promise<CheckResult<T | Throttled>> {
  const accountId = account.id;
  const begin = (key: ThrottleKey) => beginForOwner(deps, { key, accountId, addressGroup });
  return withThrottle(await begin({ kind: 'email', emailKey: emailKey(account.email) }), async () =>
    withThrottle(await begin({ kind: 'second-factor', accountId }), check),
  );
}

/**
 * Counts a mail that a stranger asks for by the stranger's address, so that nobody fills many mailboxes, or one
 * of many addresses; `undefined` while that is within bounds.
 */
export async function takeMailShare(
  deps: Pick<AccountsDeps, 'mailsAskedFor'>,
  addressGroup: string,
): Promise<Throttled | undefined> {
  const admission = await deps.mailsAskedFor.admit(addressGroup);
  if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds };
  await admission.settle(true);
  return undefined;
}

/** What a check found, and how that counts. */
export interface CheckResult<T> {
  counts: Exclude<keyof Attempt, 'failures'>;
  outcome: T;
}

/** Makes a check under its count and settles that by what the check found, or that it could not be made. */
export async function withThrottle<T>(
  attempt: Attempt | Throttled,
  check: () => Promise<CheckResult<T>>,
): Promise<CheckResult<T | Throttled>> {
  if ('retryAfterSeconds' in attempt) return { counts: 'aborted', outcome: attempt };
  try {
    const checked = await check();
    await attempt[checked.counts]();
    return checked;
  } catch (error) {
    await attempt.aborted();
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
