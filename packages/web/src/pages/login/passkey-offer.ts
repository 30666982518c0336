import { call } from '../../ui/api.ts';
import { inStore } from '../../ui/browser.ts';
import { canUsePasskeys } from '../../sign-in/passkey.ts';

/** The key of the time when a passkey was last offered in this browser, in milliseconds. */
const KEY = 'passkey-offered-at';
const EVERY_MS = 30 * 24 * 3_600_000;

/**
 * Whether to offer a passkey after a sign-in by password: the account has none, this browser can use one, and none was
 * offered here in the last thirty days. False if the time of the offer cannot be stored, so that it is not repeated at
 * every sign-in.
 */
export async function shouldOfferPasskey(now = Date.now()): Promise<boolean> {
  if (!canUsePasskeys() || !isDue(now)) return false;
  const own = await Promise.race([call<{ Items: unknown[] }>('GET', '/account/passkey'), tooLate()]);
  if (own?.ok !== true || own.value.Items.length > 0) return false;
  return inStore('localStorage', (store) => (store.setItem(KEY, String(now)), true)) ?? false;
}

/** A login must not wait long for an optional offer. */
function tooLate(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 2000, undefined));
}

/** Whether the last offer is at least thirty days old. A time in the future is ignored: a clock was wrong. */
export function isDue(now: number): boolean {
  const since = inStore('localStorage', (store) => now - Number(store.getItem(KEY) ?? Number.NaN));
  return since !== undefined && !(since >= 0 && since < EVERY_MS);
}
