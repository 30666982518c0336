import { call } from '../../../ui/api/api.ts';
import { canUsePasskeys } from '../../../ui/passkey/passkey.ts';

/** When a passkey was last offered in this browser, in milliseconds. */
const KEY = 'passkey-offered-at';
const EVERY_MS = 30 * 24 * 3_600_000;

/** As `localStorage`, which can be switched off: reading it throws then. */
type Kept = () => Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Whether a passkey is to be offered now to whoever has just signed in by password: they have none, could use one here, and
 * were not asked within thirty days. Where that cannot be kept, nobody is asked each time.
 */
export async function shouldOfferPasskey(kept: Kept, now = Date.now()): Promise<boolean> {
  if (!canUsePasskeys() || !isDue(kept, now)) return false;
  const own = await Promise.race([call<{ Items: unknown[] }>('GET', '/account/passkey'), tooLate()]);
  if (own?.ok !== true || own.value.Items.length > 0) return false;
  return keep(kept, now);
}

/** A login is not to wait long for what is only an offer. */
function tooLate(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 2000, undefined));
}

/** Whether it is thirty days ago; a time ahead is of a clock that was wrong. */
export function isDue(kept: Kept, now: number): boolean {
  try {
    const at = Number(kept().getItem(KEY) ?? Number.NaN);
    return !(now - at >= 0 && now - at < EVERY_MS);
  } catch {
    return false;
  }
}

function keep(kept: Kept, now: number): boolean {
  try {
    kept().setItem(KEY, String(now));
    return true;
  } catch {
    return false;
  }
}
