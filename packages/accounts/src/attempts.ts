import { loginThrottle } from '@gatehouse/db';
import type { AccountsDeps } from './deps.ts';

/** Too many failures: when to try again. */
export interface Throttled {
  retryAfterSeconds: number;
}

/** A check that is being counted; it must end in one of the three ways. */
export interface Attempt {
  succeeded(): Promise<void>;
  failed(): Promise<void>;
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
  return { succeeded: settle(false), failed: settle(true), undecided: settle(false) };
}

/**
 * Asks to check a password of an account, known or not. The attempt counts as a failure before it is checked,
 * so that a burst of a hundred counts a hundred; a success clears the count.
 */
export async function beginForAccount(deps: AccountsDeps, emailKey: string): Promise<Attempt | Throttled> {
  const { db, settings } = deps;
  const free = settings.LOGIN_FAILURES_FREE;
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const raised = await loginThrottle.raise(db, emailKey, free);
    if (raised.admitted) break;
    if (!raised.isChecking || Date.now() > deadline) return raised;
    const block = await waitFor(
      () => loginThrottle.findBlock(db, emailKey),
      (state) => state === undefined || !state.isChecking,
    );
    if (block !== undefined) return block;
  }
  return {
    succeeded: () => loginThrottle.clear(db, emailKey),
    failed: () => loginThrottle.settleFailure(db, emailKey),
    undecided: () => loginThrottle.takeBack(db, emailKey, free),
  };
}

async function waitFor<T>(look: () => Promise<T>, isDecided: (state: T) => boolean): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const state = await look();
    if (isDecided(state) || Date.now() > deadline) return state;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
