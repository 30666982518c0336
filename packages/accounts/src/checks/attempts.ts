import { UnfinishedCheck, type FailureCounters } from '@gatehouse/auth-core';
import { loginThrottle, sessionsOfOwner, throttleKeyText } from '@gatehouse/db';
import type { Account, ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';

export interface Throttled {
  kind: 'throttled';
  retryAfterSeconds: number;
}

/** A check that is being counted; one of the four functions must be called to end it. */
interface Attempt {
  kind: 'admitted';
  /** The caller has proved their identity: earlier failures of the account no longer count. */
  succeeded(): Promise<void>;
  /** Correct so far (partial success, as in RFC 4252): earlier failures count until another proof is given. */
  partialSuccess(): Promise<void>;
  failed(): Promise<void>;
  /** The check could not be made, through no fault of the caller: it does not count. */
  aborted(): Promise<void>;
}

/** Where a check is counted. For an address, `about` is the account's key: failing for many causes a warning. */
type Counted =
  { by: 'address'; addressGroup: string; about?: ThrottleKey } | ({ by: 'owner' } & CountedForOwner);

interface CountedForOwner {
  addressGroup: string;
  key: ThrottleKey;
  accountId: string | undefined;
  /** Called after a failure was counted, with the number of failures so far, including this one. */
  onFailure?: (failures: number) => Promise<void>;
}

export interface CheckResult<T> {
  counts: 'succeeded' | 'partialSuccess' | 'failed' | 'aborted';
  outcome: T;
}

export const FAILED_CHECK: CheckResult<{ kind: 'failed' }> = {
  counts: 'failed',
  outcome: { kind: 'failed' },
};

const WAIT_MS = 2000;
const POLL_MS = 50;

/** Makes a counted check of a secret, and settles the count by its result, or as unfinished (`isFailure`). */
export async function withThrottle<T>(
  deps: ThrottleDeps,
  who: Counted,
  check: () => Promise<CheckResult<T>>,
): Promise<CheckResult<T | Throttled>> {
  const attempt = who.by === 'address' ? await beginFromAddress(deps, who) : await beginForOwner(deps, who);
  if (attempt.kind === 'throttled') return { counts: 'aborted', outcome: attempt };
  let checked: CheckResult<T> | undefined;
  try {
    checked = await check();
    await attempt[checked.counts]();
    return checked;
  } catch (error) {
    // A wrong secret stays counted, even if the end of its check could not be recorded.
    if (checked?.counts === 'failed') throw error;
    if (error instanceof UnfinishedCheck && isFailure(error, who)) await attempt.failed();
    else await attempt.aborted();
    throw error;
  }
}

export async function withAddressThrottle<T>(
  deps: ThrottleDeps,
  { addressGroup, about }: { addressGroup: string; about?: ThrottleKey },
  check: () => Promise<CheckResult<T>>,
): Promise<T | Throttled> {
  return (await withThrottle(deps, { by: 'address', addressGroup, ...(about && { about }) }, check)).outcome;
}

/**
 * For an address it counts, so that nobody can fill the queue or have threads ended without limit. For an account only
 * if a thread worked on it: otherwise whoever fills the queue would also lock the owner out.
 */
function isFailure({ wasBegun }: UnfinishedCheck, { by }: Counted): boolean {
  return wasBegun || by === 'address';
}

/**
 * Begins a check counted for an address: guesses at many accounts count together. It waits briefly while only checks in
 * progress are in the way, so that many correct attempts at once do not block each other.
 */
async function beginFromAddress(
  deps: ThrottleDeps,
  { addressGroup, about }: { addressGroup: string; about?: ThrottleKey },
): Promise<Attempt | Throttled> {
  const admission = await waitFor(
    () => deps.failures.admit(addressGroup),
    (state) => state.admitted || !state.wait,
  );
  if (!admission.admitted) return throttled(admission);
  const right = (): Promise<void> => admission.settle(false);
  const wrong = (): Promise<void> => admission.settle(true, about && throttleKeyText(about));
  return { kind: 'admitted', succeeded: right, partialSuccess: right, failed: wrong, aborted: right };
}

/** A failure until it is checked, so that a burst of a hundred counts a hundred; a success clears the count. */
async function beginForAccount(
  deps: ThrottleDeps,
  key: ThrottleKey,
): Promise<(Attempt & { failures: number }) | Throttled> {
  const { db, settings } = deps;
  const free = settings.LOGIN_FAILURES_FREE;
  const deadline = Date.now() + WAIT_MS;
  let raised: loginThrottle.Attempt;
  for (;;) {
    raised = await loginThrottle.raise(db, key, free);
    if (raised.admitted) break;
    if (!raised.isChecking || Date.now() > deadline) return throttled(raised);
    const block = await waitFor(
      () => loginThrottle.findBlock(db, key),
      (state) => state === undefined || !state.isChecking,
    );
    if (block !== undefined) return throttled(block);
  }
  const { failures, check } = raised;
  return {
    kind: 'admitted',
    failures,
    succeeded: () => loginThrottle.clear(db, key),
    partialSuccess: () => loginThrottle.settlePartialSuccess(db, key, check),
    failed: () => loginThrottle.settleFailure(db, key, check),
    aborted: () => loginThrottle.takeBack(db, key, check, free),
  };
}

/**
 * Like `beginForAccount`, with a count for each address: an owner at an address from which they logged in before, and
 * have not failed, need not wait because of others' guesses, which could block them for ever.
 */
async function beginForOwner(
  deps: ThrottleDeps,
  { key, accountId, addressGroup, onFailure }: CountedForOwner,
): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const ownKey: ThrottleKey = { ...key, from: addressGroup };
  const attempt = await beginForAccount(deps, key);
  if (attempt.kind === 'admitted') {
    const failed = async (): Promise<void> => {
      await attempt.failed();
      const own = await loginThrottle.raise(db, ownKey, settings.LOGIN_FAILURES_FREE);
      // The address may still have to wait after a login from elsewhere has cleared the account's own count.
      if (own.admitted) await loginThrottle.settleFailure(db, ownKey, own.check);
      await onFailure?.(attempt.failures);
    };
    return { ...attempt, failed };
  }
  const isKnown =
    accountId !== undefined && (await sessionsOfOwner.hasRecentLoginFrom(db, accountId, addressGroup));
  if (!isKnown) return attempt;
  const own = await beginForAccount(deps, ownKey);
  if (own.kind === 'throttled') return own;
  const succeeded = async (): Promise<void> => {
    await own.succeeded();
    await loginThrottle.clear(db, key);
  };
  const failed = async (): Promise<void> => {
    await own.failed();
    await onFailure?.(own.failures);
  };
  return { ...own, succeeded, failed };
}

/** Counted twice: for the email, like a wrong password, and for the account, whose email can be changed in between. */
export async function withSecondFactorThrottle<T>(
  deps: ThrottleDeps,
  { account, addressGroup }: { account: Pick<Account, 'id' | 'email'>; addressGroup: string },
  check: () => Promise<CheckResult<T>>,
): Promise<CheckResult<T | Throttled>> {
  const accountId = account.id;
  const counted = (key: ThrottleKey): Counted => ({ by: 'owner', key, accountId, addressGroup });
  return withThrottle(deps, counted({ kind: 'email', emailKey: emailKey(account.email) }), () =>
    withThrottle(deps, counted({ kind: 'second-factor', accountId }), check),
  );
}

/** Counted apart: if a provider is misconfigured, an office's people can still log in with their passwords. */
export function withSignOnThrottle<T>(
  deps: ThrottleDeps & Pick<AccountsDeps, 'signOns'>,
  addressGroup: string,
  finish: () => Promise<CheckResult<T>>,
): Promise<T | Throttled> {
  return withAddressThrottle({ ...deps, failures: deps.signOns }, { addressGroup }, finish);
}

/** Counts what an address or account may do so often, so that nobody fills mailboxes; `undefined` within the limit. */
export async function takeShare(counters: FailureCounters, whose: string): Promise<Throttled | undefined> {
  const admission = await counters.admit(whose);
  if (!admission.admitted) return throttled(admission);
  await admission.settle(true);
  return undefined;
}

function throttled({ retryAfterSeconds }: { retryAfterSeconds: number }): Throttled {
  return { kind: 'throttled', retryAfterSeconds };
}

async function waitFor<T>(look: () => Promise<T>, isDecided: (state: T) => boolean): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const state = await look();
    if (isDecided(state) || Date.now() > deadline) return state;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
