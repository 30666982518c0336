import type { Fragment } from '../../ui/fragment.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-console-sign-on';

interface Kept {
  state: string;
  /** The screen to lead back to. */
  path: string;
  confirms: boolean;
}

/**
 * Where a sign-on at an identity provider begins. This tab stores a random value that comes back with the response,
 * so that a link with an attacker's code signs nobody in.
 */
export function beginSignOn(loginUrl: string, { path, confirms }: Omit<Kept, 'state'>, store: Store): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  store.setItem(KEPT, JSON.stringify({ state, path, confirms } satisfies Kept));
  const query = { console: 'true', ...(confirms && { confirm: 'true' }), state };
  return `${loginUrl}?${new URLSearchParams(query).toString()}`;
}

/** How a sign-on came back: with a code, or with why there is none. */
export type SignOn = ({ code: string } | { error: string }) & Partial<Pick<Kept, 'path' | 'confirms'>>;

/** What the address said of a sign-on; one that this tab has not begun, or has finished, is none of its own. */
export function takeSignOn(fragment: Fragment, storeOf: () => Store): SignOn | undefined {
  const { SignOnCode: code, SignOnError: error, State: state } = fragment;
  if (code === undefined && error === undefined) return undefined;
  const store = storeOf();
  const text = store.getItem(KEPT);
  // The console alone writes it, and that the function above.
  const kept = text === null ? undefined : (JSON.parse(text) as Kept);
  if (kept === undefined || kept.state !== state) return { error: 'invalid_attempt' };
  store.removeItem(KEPT);
  const { path, confirms } = kept;
  if (code === undefined || error !== undefined) return { error: error ?? 'invalid_attempt', path, confirms };
  return { code, path, confirms };
}
