import { UnfinishedCheck, type FailureCounters } from '@gatehouse/auth-core';
import { loginThrottle, ownSessions, throttleKeyText, type Account, type ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';

/** Too many failures: when to try again. */
export interface Throttled {
  kind: 'throttled';
  retryAfterSeconds: number;
}

/** A check that is being counted; it must end in one of the four ways. */
interface Attempt {
  kind: 'admitted';
  /** The caller is who they say: nothing is held against the account any more. */
  succeeded(): Promise<void>;
  /** Right so far (partial success, as in RFC 4252): another proof is needed before earlier failures are forgotten. */
  partialSuccess(): Promise<void>;
  failed(): Promise<void>;
  /** Failures so far, this attempt counted among them, where they are counted by account. */
  failures?: number;
  /** The check could not be made, through no fault of the caller's: it does not count. */
  aborted(): Promise<void>;
}

/**
 * Under whose count a check is made: an address's, where `about` says whom the secret is of (an address that fails for
 * many is worth a warning), or that of the account whose secret it is.
 */
export type Counted =
  | { by: 'address'; addressGroup: string; about?: ThrottleKey }
  | { by: 'owner'; addressGroup: string; key: ThrottleKey; accountId: string | undefined };

/** What a check found, and how that counts. */
export interface CheckResult<T> {
  counts: 'succeeded' | 'partialSuccess' | 'failed' | 'aborted';
  outcome: T;
}

const WAIT_MS = 2000;
const POLL_MS = 50;

/**
 * Makes a check of a secret (password, code, second factor) under its count and settles that by what the check found, or
 * that it could not be made (`isFailure`). `failures`: so many so far, this one among them, where they are counted by account.
 */
export async function withThrottle<T>(
  deps: ThrottleDeps,
  who: Counted,
  check: (failures: number | undefined) => Promise<CheckResult<T>>,
): Promise<CheckResult<T | Throttled>> {
  const attempt = who.by === 'address' ? await beginFromAddress(deps, who) : await beginForOwner(deps, who);
  if (attempt.kind === 'throttled') return { counts: 'aborted', outcome: attempt };
  try {
    const checked = await check(attempt.failures);
    await attempt[checked.counts]();
    return checked;
  } catch (error) {
    if (error instanceof UnfinishedCheck && isFailure(error, who)) await attempt.failed();
    else await attempt.aborted();
    throw error;
  }
}

/**
 * Whether an unfinished check counts as a failure. Against the address it does, so that nobody goes on at will filling the
 * narrow queue or having threads ended. Against the account only if a thread worked for it: otherwise whoever fills that
 * queue would lock its owner out as well.
 */
function isFailure({ wasBegun }: UnfinishedCheck, { by }: Counted): boolean {
  return wasBegun || by === 'address';
}

/**
 * Asks to check a secret for an address's sake: guesses spread over many accounts count together. Where checks under way
 * fill the bound, it waits for them a little, so that many good attempts at once do not stand in each other's way.
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

/**
 * Asks to check a secret of an account, known or not. The attempt counts as a failure before it is checked,
 * so that a burst of a hundred counts a hundred; a success clears the count.
 */
async function beginForAccount(deps: ThrottleDeps, key: ThrottleKey): Promise<Attempt | Throttled> {
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
 * As `beginForAccount`, with a count apart for each address: an owner who comes from where they have logged in
 * before, and has not failed there, need not wait for the guesses of others, who could keep the account waiting
 * for as long as they like.
 */
async function beginForOwner(
  deps: ThrottleDeps,
  { key, accountId, addressGroup }: { key: ThrottleKey; accountId: string | undefined; addressGroup: string },
): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const ownKey: ThrottleKey = { ...key, from: addressGroup };
  const attempt = await beginForAccount(deps, key);
  if (attempt.kind === 'admitted') {
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
  if (own.kind === 'throttled') return own;
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

/**
 * Finishes a sign-on under the count of its address's failed ones, which is one apart: where a provider is set up wrongly, all
 * sign-ons of an office fail, and its people still log in with their passwords.
 */
export async function withSignOnThrottle<T>(
  deps: ThrottleDeps & Pick<AccountsDeps, 'signOns'>,
  addressGroup: string,
  finish: () => Promise<CheckResult<T>>,
): Promise<T | Throttled> {
  const counted = { by: 'address', addressGroup } as const;
  return (await withThrottle({ ...deps, failures: deps.signOns }, counted, finish)).outcome;
}

/**
 * Counts a mail that a stranger asks for by the stranger's address, so that nobody fills many mailboxes, or one
 * of many addresses; `undefined` while that is within bounds.
 */
export async function takeMailShare(
  deps: Pick<AccountsDeps, 'mailsAskedFor'>,
  addressGroup: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.mailsAskedFor, addressGroup);
}

/** Counts a challenge to be signed with a passkey by the address that asks for it; as `takeMailShare`. */
export async function takeChallengeShare(
  deps: Pick<AccountsDeps, 'passkeyChallenges'>,
  addressGroup: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.passkeyChallenges, addressGroup);
}

/** Counts an export by the account; as `takeMailShare`. */
export async function takeExportShare(
  deps: Pick<AccountsDeps, 'exports'>,
  accountId: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.exports, accountId);
}

async function takeShare(counters: FailureCounters, whose: string): Promise<Throttled | undefined> {
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
