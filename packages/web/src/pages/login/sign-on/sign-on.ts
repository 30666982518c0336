import type { Fragment } from '../../../ui/fragment.ts';
import type { Return } from '../destination.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-sign-on';

/**
 * Returns the URL where a sign-on at an identity provider begins. `isFresh`: the provider must authenticate the user
 * again. `locale`: the language of the page, for a new account. This tab stores where to go afterwards, whether to stay signed in, and a random value that must come back with
 * the response, so that a link with an attacker's code signs nobody in.
 */
export function beginSignOn(
  loginUrl: string,
  { isFresh = false, locale, ...login }: { back: Return; keep: boolean; locale: string; isFresh?: boolean },
  store: Store,
): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  store.setItem(KEPT, JSON.stringify({ state, ...login }));
  const { sessionTag } = login.back;
  const tag = sessionTag !== undefined && { sessionTag };
  const asked = { pages: 'true', ...(isFresh && { fresh: 'true' }), ...tag, state, locale };
  return `${loginUrl}?${new URLSearchParams(asked).toString()}`;
}

/** The result of a sign-on: a code for its session, or the reason why there is none. */
export type SignOn = ({ code: string; keep: boolean } | { error: string }) & { back?: Return };

/** Reads the result of a sign-on from the address. It is invalid if this tab has not begun or already finished it. */
export function takeSignOn(said: Fragment, storeOf: () => Store): SignOn | undefined {
  const { HandoverCode: code, SignOnError: error, State: state } = said;
  if (code === undefined && error === undefined) return undefined;
  const store = storeOf();
  const kept = keptIn(store);
  if (kept === undefined || kept.state !== state) return { error: 'invalid_attempt' };
  store.removeItem(KEPT);
  const { back, keep } = kept;
  return {
    ...(code !== undefined && error === undefined ? { code, keep } : { error: error ?? 'invalid_attempt' }),
    back,
  };
}

function keptIn(store: Store): { state: string; back: Return; keep: boolean } | undefined {
  const text = store.getItem(KEPT);
  // Only pages of this origin can write it, and they only do so with the function above.
  return text === null ? undefined : (JSON.parse(text) as { state: string; back: Return; keep: boolean });
}
